"""Who is let in: accounts, passwords, sign-ins, the passcode."""
