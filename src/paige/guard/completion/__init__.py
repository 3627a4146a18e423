"""What happens when an agent says that it is done: claims, checks in a copy, stops that wait."""
