"""What kinds of errors there are, and how to tell which one an answer shows."""
