"""What of a person's katas must not be given away, wherever something is said to them."""

from datetime import datetime

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.disclosing import Secret, secret_of
from paige.learner.queries import katas


def open_secrets(connection: Connection, actor: Actor, now: datetime) -> tuple[Secret, ...]:
    """The secrets of every kata that a person has not solved."""
    found = (secret_of(row.kata, now) for row in katas(connection, actor))
    return tuple(secret for secret in found if secret is not None)
