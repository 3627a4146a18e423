"""Whether documents are files of this machine: some things can only be done with files."""

from pathlib import Path

from paige.store.documents import DirectoryDocuments, Documents


def folder_of(documents: Documents) -> Path | None:
    """The folder that documents are in; nothing when they are in the database."""
    return documents.root if isinstance(documents, DirectoryDocuments) else None
