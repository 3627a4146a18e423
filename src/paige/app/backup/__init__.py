"""What a backup is made of: its archive, the places and the tables it is taken from."""
