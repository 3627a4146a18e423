"""The pages of the web app that show what was found or waits."""

from urllib.parse import quote, urlencode


def below(path: str, name: str) -> str:
    """The page of something that has a name."""
    return f"{path}/{quote(name, safe='')}"


def page(path: str, **said: str) -> str:
    """A page that is told something; what is empty is not said."""
    given = {name: value for name, value in said.items() if value}
    return f"{path}?{urlencode(given)}" if given else path
