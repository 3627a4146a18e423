"""Lets `python -m paige` do what `paige` does."""

from paige.doors.site.main import main

if __name__ == "__main__":
    main()
