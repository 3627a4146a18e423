"""Work that moves by itself: features, roles, handoffs."""
