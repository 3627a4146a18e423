"""One file per coding CLI: its JSON to an event of the house, and a decision back to its JSON."""
