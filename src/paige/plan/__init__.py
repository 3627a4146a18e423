"""The teacher's door: lessons drafted, checked and judged section by section."""
