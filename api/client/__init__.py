"""The clients: ``Mnemic``'s methods over HTTP, for code whose memory is served elsewhere."""
