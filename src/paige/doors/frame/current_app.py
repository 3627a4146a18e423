"""Whose application a request is for: the server acts for whoever asks, never for one fixed person.

Whoever lets people in puts the actor into the scope (`paige.actor`); without accounts it is the one
person of this server. Everything behind asks `app_of` for the application as that person uses it,
and hands it on as an argument.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

from paige.app.application import App
from paige.app.person_apps import PersonApps

ACTOR = "paige.actor"
_PEOPLE = "paige.people"


class CurrentApp:
    """Middleware that lets everything behind it find the applications of people."""

    def __init__(self, app: ASGIApp, people: PersonApps) -> None:
        self.app = app
        self.people = people

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        scope[_PEOPLE] = self.people
        if not self.people.app.settings.many:
            scope[ACTOR] = self.people.app.actor
        await self.app(scope, receive, send)


def server_app(scope: Scope) -> App:
    """The application of the server itself, whoever asks."""
    people: PersonApps = scope[_PEOPLE]
    return people.app


def app_of(scope: Scope) -> App:
    """The application as whoever asks uses it. Raises: Refused when that is nobody."""
    people: PersonApps = scope[_PEOPLE]
    return people.of(scope.get(ACTOR))
