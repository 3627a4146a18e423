"""The machinery of the outside, once: operations, and how each door reaches them."""
