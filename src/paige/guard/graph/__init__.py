"""The context graph: what was refused, corrected, decided and approved, and what led to it."""
