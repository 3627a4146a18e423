"""What the outside sees of Study."""
