"""Running an orchestra: worktrees, runners, and the conductor that drives them."""
