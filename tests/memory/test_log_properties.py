"""Whatever happens to a log, what was confirmed can be read, in order, and the chain holds."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.log.chain import START_HASH, seal
from paige.memory.log.log import Log
from tests.memory.log_writer import event

SALT = "5a" * 16
HARMLESS = {"torn", "foreign", "unreadable"}
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
steps = st.one_of(
    st.tuples(st.just("append"), st.lists(words, min_size=1, max_size=4)),
    st.tuples(st.just("tear"), st.integers(0, 1000)),
    st.tuples(st.just("foreign"), words),
    st.tuples(st.just("forget"), st.lists(st.integers(1, 12), max_size=3)),
    st.tuples(st.just("rotate"), st.none()),
    st.tuples(st.just("reopen"), st.none()),
    st.tuples(st.just("other"), st.lists(words, min_size=1, max_size=2)),
)


@dataclass
class Story:
    """A log, and what should be in it."""

    path: Path
    said: list[str] = field(default_factory=list)
    unfinished: bytes = b""
    whole: str | None = None  # the words of a line that lacks only its newline

    def __post_init__(self) -> None:
        self.log, self.neighbour = Log(self.path, segment_bytes=4000), Log(self.path)

    def append(self, texts: list[str], log: Log | None = None) -> None:
        self._mended()
        log = log or self.log
        made = log.append(lambda seq: [event(seq + i, text) for i, text in enumerate(texts)])
        assert [each.seq for each in made] == [len(self.said) + 1 + i for i in range(len(made))]
        self.said += [each.text for each in made]

    def other(self, texts: list[str]) -> None:
        """Someone else who has the log open appends."""
        self.append(texts, self.neighbour)

    def tear(self, length: int) -> None:
        """A writer dies in the middle of a line."""
        last = [*self.log.read_parsed(len(self.said) - 1)] if self.said else []
        prev = last[-1]["hash"] if last else START_HASH
        seq = len(self.said) + 1
        line = seal(event(seq, f"torn {seq}"), prev, SALT)[:-1][:length]
        fits = not self.unfinished and line.endswith(b"}") and line.count(b'"hash":') == 1
        self.unfinished += line
        if line:
            self.whole = f"torn {seq}" if fits else None
        self._put(line)

    def foreign(self, text: str) -> None:
        """An outsider adds a line, maybe behind an unfinished one."""
        self._put(orjson.dumps({"text": text}) + b"\n")
        self.unfinished, self.whole = b"", None

    def forget(self, seqs: list[int]) -> None:
        if seqs:
            self._mended()
        held = {seq for seq in seqs if seq <= len(self.said) and self.said[seq - 1]}
        assert self.log.forget([f"e{seq}" for seq in seqs]) == len(held)
        for seq in held:
            self.said[seq - 1] = ""

    def rotate(self, _: None) -> None:
        self._mended()
        made = Log(self.path, segment_bytes=1).append(lambda seq: [event(seq)])
        self.said += [each.text for each in made]

    def reopen(self, _: None) -> None:
        self.log = Log(self.path, segment_bytes=4000)

    def check(self) -> None:
        for log in (self.log, self.neighbour, Log(self.path)):
            assert [each.text for each in log.read()] == self.said
            assert log.last_seq() == len(self.said)
            middle = len(self.said) // 2
            assert [each.text for each in log.read(middle)] == self.said[middle:]
        result = self.log.verify()
        assert result.events == len(self.said)
        assert {problem.kind for problem in result.problems} <= HARMLESS

    def _put(self, data: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(data)

    def _mended(self) -> None:
        if self.whole is not None:
            self.said.append(self.whole)
        self.unfinished, self.whole = b"", None


@given(st.lists(steps, max_size=12))
def test_whatever_happens_confirmed_events_are_read_in_order(story: list) -> None:
    with TemporaryDirectory() as folder:
        log = Story(Path(folder) / "events.jsonl")
        for name, argument in story:
            getattr(log, name)(argument)
            log.check()


@given(st.data())
def test_any_changed_byte_of_a_log_is_noticed(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        log = Log(Path(folder) / "events.jsonl")
        log.append(lambda seq: [event(seq + i, f"words {i}") for i in range(4)])
        log.forget(["e2"])
        whole = log.path.read_bytes()
        place = data.draw(st.integers(0, len(whole) - 2))
        byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
        log.path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
        assert not log.verify().ok
        assert not Log(log.path).verify().ok
