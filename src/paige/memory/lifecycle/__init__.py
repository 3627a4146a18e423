"""Jobs that organise the memory, and policies that improve."""
