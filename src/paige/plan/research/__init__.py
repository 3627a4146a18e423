"""What happened in runs, as data for research about nobody in person."""
