"""A learner at a window of the Study door, who knows the answers or does not."""

import io
import json
from pathlib import Path
from typing import Any

from PIL import Image
from starlette.testclient import TestClient

from tests.study.answering import fill_in, sitting

Json = dict[str, Any]
MOST_STEPS = 60


class Learner:
    """Somebody who studies one course; `root` is the teaching folder."""

    def __init__(self, http: TestClient, root: Path, course: str, learner: str = "") -> None:
        self.http = http
        self.root = root
        self.course = course
        self.learner = learner
        self.step: Json = {}

    @property
    def who(self) -> Json:
        """The course and the learner, as every address takes them."""
        return {"course": self.course, **({"learner": self.learner} if self.learner else {})}

    def get(self, address: str, **query: str) -> Any:
        """Read an address of the door; return the whole response."""
        return self.http.get(f"/api/study{address}", params={**self.who, **query})

    def start(self, **wish: object) -> Json:
        """Begin a session."""
        answer = self.http.post("/api/study/sessions", json={**self.who, **wish})
        assert answer.status_code == 200, answer.text
        self.step = answer.json()
        return self.step

    def look(self) -> Json:
        """Where the session stands."""
        answer = self.get("/session")
        assert answer.status_code == 200, answer.text
        self.step = answer.json()
        return self.step

    def try_to(self, act: str = "answer", *, step: int | None = None, **more: Any) -> Any:
        """Do something; return the whole response."""
        at = self.step["step"] if step is None else step
        body = {**self.who, "step": at, "act": act, **more}
        return self.http.post("/api/study/session/act", json=body)

    def act(self, act: str = "answer", **more: Any) -> Json:
        """Do something that works."""
        answer = self.try_to(act, **more)
        assert answer.status_code == 200, answer.text
        self.step = answer.json()
        return self.step

    def upload(self, name: str, data: bytes, *, step: int | None = None) -> Any:
        """Send a photo or a recording; return the whole response."""
        query = {**self.who, "step": self.step["step"] if step is None else step, "name": name}
        return self.http.post("/api/study/session/upload", params=query, content=data)

    def to_exercise(self, modality: str, concept: str) -> Json:
        """Begin a quiz about a concept in that modality."""
        self.start(kind="quiz", quiz={"concepts": [concept]}, prefer=modality, anew=True)
        if self.step["exercise"]["modality"] != modality:
            self.act("instead", modality=modality)
        assert self.step["exercise"]["modality"] == modality
        return self.step

    def known(self) -> Json:
        """The exercise with its answers, where a learner must not look."""
        return sitting(self.root, self.course, self.step["session"])

    def question(self) -> Json:
        """The question that is being asked, with its answers."""
        known = self.known()
        return known["exercise"]["items"][known["at"]]

    def answer_rightly(self) -> Json:
        """Answer the step as somebody who knows."""
        expects = self.step["expects"]
        match expects:
            case "go_on":
                return self.act()
            case "file":
                return self._file()
            case "folder":
                folder = self.root / self.step["exercise"]["file"]
                return self.act(fileText=(folder / "solution.py").read_text())
            case "image":
                sent = self.upload("tree.png", picture())
                assert sent.status_code == 200, sent.text
                self.step = sent.json()
                self.act(path=self.step["exercise"]["uploads"][-1]["path"])
                return self.act(rating=3)
            case "self_check":
                return self.act(rating=3)
            case _:
                question = self.question()
                return self.act(text=(question["key"] or question["answers"])[0])

    def finish_exercise(self) -> Json:
        """Answer rightly until the exercise is over; return its result."""
        exercise = self.step["exercise"]["id"]
        for _ in range(MOST_STEPS):
            self.answer_rightly()
            result = self.step["result"]
            if result is not None and result["exerciseId"] == exercise:
                return result
        raise AssertionError("the exercise did not end")

    def _file(self) -> Json:
        path = self.root / self.step["exercise"]["file"]
        if self.step["exercise"]["modality"] == "worksheet":
            fill_in(path)
            return self.act(done=True)
        words = "They are read, changed and tested by themselves, part by part. " * 6
        return self.act(text=words)


def picture() -> bytes:
    """A photo."""
    data = io.BytesIO()
    Image.new("RGB", (40, 30), "white").save(data, "PNG")
    return data.getvalue()


def secrets_of(question: Json) -> list[str]:
    """What of a question nobody may see before the ladder allows it."""
    shown = json.dumps([question["prompt"], question["choices"], question["context"]])
    known = [*question["answers"], question["explanation"], *question["hints"]]
    return [each for each in known if len(each) > 3 and each not in shown]
