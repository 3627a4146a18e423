"""Text that every database and wire can take."""


def storable(text: str) -> str:
    """The text without halves of characters and NUL, which JSON can bring and nobody can keep."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
