"""Puts Paige into the settings of a coding CLI, and takes it out again without a trace."""
