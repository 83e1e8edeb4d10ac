"""An optional language model beside the rules: asked for single stages, believed only where its answer can be checked."""
