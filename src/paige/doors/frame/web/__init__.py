"""The HTTP server: pages, sockets, limits, sign-in."""
