"""A frozen value class that costs nothing to import.

The hook's fast path may not import `dataclasses` (it triples the start of a process), so the values
it uses derive from `Record` and name their fields as dataclasses do.
"""


class _Fields(type):
    """Makes the annotated names of a class its slots, and their values its defaults."""

    __slots__: tuple[str, ...]
    _defaults: dict[str, object]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> "_Fields":
        annotate = body.get("__annotate_func__")  # of Python 3.14, which works them out when asked
        fields = annotate(1) if callable(annotate) else body.get("__annotations__", {})
        assert isinstance(fields, dict)
        body["_defaults"] = {field: body.pop(field) for field in fields if field in body}
        body["__slots__"] = tuple(fields)
        return type.__new__(cls, name, bases, body)


class Record(metaclass=_Fields):
    """Base of small frozen values; a field with a value may be left out."""

    def __init__(self, *values: object, **named: object) -> None:
        cls = type(self)
        fields = cls.__slots__
        if len(values) > len(fields):
            raise TypeError(f"{cls.__name__} takes {len(fields)} values, got {len(values)}")
        given = {**cls._defaults, **dict(zip(fields, values, strict=False))}
        for field in named:
            if field in fields[: len(values)]:
                raise TypeError(f"{cls.__name__} got `{field}` twice")
        given.update(named)
        for field in fields:
            if field not in given:
                raise TypeError(f"{cls.__name__} needs `{field}`")
            object.__setattr__(self, field, given.pop(field))
        if given:
            raise TypeError(f"{cls.__name__} has no field `{next(iter(given))}`")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.values() == other.values()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), self.values()))

    def __repr__(self) -> str:
        pairs = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({pairs})"

    def fields(self) -> dict[str, object]:
        """The values of the fields by their names."""
        return {name: getattr(self, name) for name in type(self).__slots__}

    def values(self) -> tuple[object, ...]:
        """The values of the fields, in their order."""
        return tuple(getattr(self, name) for name in self.__slots__)
