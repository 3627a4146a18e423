"""Everything the outside sees of Paige: one folder for each subject, and the frame they share."""
