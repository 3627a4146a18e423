"""Who acts: an argument of every query, so that no row is read or written for nobody."""

from dataclasses import dataclass

LOCAL_TENANT = "local"


@dataclass(frozen=True, slots=True)
class Actor:
    """One person (or process) of one tenant, with the roles they hold."""

    tenant: str = LOCAL_TENANT
    person: str = "me"
    roles: frozenset[str] = frozenset()
