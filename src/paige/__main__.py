"""Lets `python -m paige` do what `paige` does."""

from paige.cli.main import main

if __name__ == "__main__":
    main()
