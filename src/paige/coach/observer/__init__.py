"""The observer: watches what a person does and decides when a word would help."""
