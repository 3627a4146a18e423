"""What somebody with a token may ask for, without an account and without a passcode.

A token opens one worksheet. There are two addresses and nothing leads on from them: no list, no
class, no key, no other token.
"""

from fastapi import Request, Response

from paige.app.application import App
from paige.server import answer_views as views
from paige.server import answer_wire as wire
from paige.server.answer_limits import Pace
from paige.server.routes import Routes

A_MINUTE = 60.0
MOST_FOR_TOKEN = 60
MOST_FOR_ADDRESS = 2000
"""Requests a minute. A whole school may share an address."""
LONGEST_TOKEN = 40
PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


def answer_routes(app: App) -> Routes:
    """The addresses `/answer/{token}`."""
    routes = Routes(prefix="/answer", tags=["answer"])
    for_token, for_address = Pace(MOST_FOR_TOKEN, A_MINUTE), Pace(MOST_FOR_ADDRESS, A_MINUTE)

    def count(request: Request, token: str) -> str:
        address = request.client.host if request.client else ""
        for_address.count(address)
        for_token.count(token[:LONGEST_TOKEN].lower())
        return address

    @routes.get("/{token}")
    async def read(token: str, request: Request, response: Response) -> wire.AnswerSheet:
        """Read the worksheet of a token, with what was written so far."""
        address = count(request, token)
        response.headers.update(PRIVATE)
        # The plan room, which a starting server does without.
        from paige.app.class_answers_public import open_sheet  # noqa: PLC0415

        return views.sheet_of(await open_sheet(app, token, address))

    @routes.put("/{token}")
    async def save(
        token: str, asked: wire.AnswerSave, request: Request, response: Response
    ) -> wire.AnswerSheet:
        """Keep answers as a draft, or hand them in; 409 when another device has written since."""
        address = count(request, token)
        response.headers.update(PRIVATE)
        from paige.app.class_answers_public import (  # noqa: PLC0415 - as above
            AnswersGiven,
            save_answers,
        )

        given = AnswersGiven(asked.answers, asked.version, asked.hand_in)
        return views.sheet_of(await save_answers(app, token, given, address))

    return routes
