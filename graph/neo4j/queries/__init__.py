"""Every statement of the Neo4j store. Values are parameters, always; what varies is the layer's label."""
