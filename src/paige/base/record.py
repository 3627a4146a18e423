"""A frozen value class that costs nothing to import.

The hook's fast path may not import `dataclasses` (it triples the start of a process), so the values
it uses derive from `Record` and name their fields in `__slots__`.
"""


class Record:
    """Base of small frozen values; fields are the `__slots__`, `_defaults` may leave some out."""

    __slots__ = ()
    _defaults: dict[str, object] = {}

    def __init__(self, *values: object, **named: object) -> None:
        cls = type(self)
        fields = cls.__slots__
        if len(values) > len(fields):
            raise TypeError(f"{cls.__name__} takes {len(fields)} values, got {len(values)}")
        given: dict[str, object] = dict(zip(fields, values, strict=False))
        for field in named:
            if field in given:
                raise TypeError(f"{cls.__name__} got `{field}` twice")
        given.update(named)
        for field in fields:
            if field not in given and field not in cls._defaults:
                raise TypeError(f"{cls.__name__} needs `{field}`")
            object.__setattr__(self, field, given.pop(field, cls._defaults.get(field)))
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
        names: tuple[str, ...] = self.__slots__
        return {name: getattr(self, name) for name in names}

    def values(self) -> tuple[object, ...]:
        """The values of the fields, in their order."""
        return tuple(getattr(self, name) for name in self.__slots__)
