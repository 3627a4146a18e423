"""Requests made up from a JSON schema by a seeded generator: they fit it, mostly."""

import random
from typing import Any

Json = dict[str, Any]
_METHODS = ("get", "post")


class Maker:
    """Makes values for schemas; `words` are what texts are taken from."""

    def __init__(self, chance: random.Random, words: list[str], definitions: Json) -> None:
        self._chance = chance
        self._words = words
        self._definitions = definitions

    def value(self, schema: Json, depth: int = 0) -> Any:
        """A value for a schema."""
        chance = self._chance
        if "$ref" in schema:
            return self.value(self._definitions[schema["$ref"].rpartition("/")[2]], depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return chance.choice(schema["enum"])
        for several in ("anyOf", "oneOf"):
            if several in schema:
                return self.value(chance.choice(schema[several]), depth + 1)
        if "allOf" in schema:
            return self.value(schema["allOf"][0], depth + 1)
        return self._plain(schema, depth)

    def _plain(self, schema: Json, depth: int) -> Any:
        chance = self._chance
        match schema.get("type"):
            case "integer" | "number":
                least = int(schema.get("minimum", schema.get("exclusiveMinimum", -1)))
                most = int(schema.get("maximum", least + 50))
                return chance.choice([least, most, chance.randint(least, max(least, most))])
            case "boolean":
                return chance.random() < 0.5
            case "array":
                count = chance.randint(int(schema.get("minItems", 0)), 3)
                return [self.value(schema.get("items", {}), depth + 1) for _ in range(count)]
            case "object":
                return self._object(schema, depth)
            case "null":
                return None
        return self._text(schema)

    def _object(self, schema: Json, depth: int) -> Json:
        needed = set(schema.get("required", ()))
        made: Json = {}
        for name, each in schema.get("properties", {}).items():
            if name in needed or (depth < 6 and self._chance.random() < 0.5):
                made[name] = self.value(each, depth + 1)
        return made

    def _text(self, schema: Json) -> str:
        chance = self._chance
        if chance.random() < 0.85:
            text = chance.choice(self._words)
        else:
            text = "".join(chance.choice("aé0/.%'\"\\-_ \n😀") for _ in range(chance.randint(0, 9)))
        return text[: schema.get("maxLength", 10_000)]


def operations(api: Json, methods: tuple[str, ...] = _METHODS) -> list[tuple[str, str, Json]]:
    """Every operation of an OpenAPI description: method, path, description."""
    return [
        (method, path, operation)
        for path, item in api["paths"].items()
        for method, operation in item.items()
        if method in methods
    ]


def request_for(maker: Maker, path: str, operation: Json) -> tuple[str, Json, Any]:
    """An address, its query and its body for an operation."""
    query: Json = {}
    for parameter in operation.get("parameters", ()):
        needed = parameter.get("required", False) or parameter["in"] == "path"
        if not needed and maker.value({"type": "boolean"}):
            continue
        value = maker.value(parameter.get("schema", {}))
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", str(value))
        elif parameter["in"] == "query" and value is not None:
            query[parameter["name"]] = value
    content = operation.get("requestBody", {}).get("content", {})
    body = None
    if "application/json" in content:
        body = maker.value(content["application/json"]["schema"])
    return path, query, body
