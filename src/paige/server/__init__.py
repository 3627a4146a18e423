"""The HTTP and WebSocket door."""
