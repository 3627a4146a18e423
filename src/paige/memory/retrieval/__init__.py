"""How a question becomes an order of memories."""
