"""Values of exercises: parse, render, mark, export."""
