"""The files of the project that is coached: read, save, buffers, differences, tree, changes."""
