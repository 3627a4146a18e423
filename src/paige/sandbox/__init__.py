"""A bounded process in a scratch copy, and the terminal's PTY."""
