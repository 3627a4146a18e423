"""Doctor, demo, evaluation."""
