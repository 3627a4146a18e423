"""What was done in a session: the types of actions, their log, and what was typed between them."""
