"""Rules people can write: read from files, checked by their own examples, compiled for the hook."""
