"""Memory as markdown documents that many may edit."""
