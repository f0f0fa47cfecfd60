from __future__ import annotations

import re
from typing import cast

import pytest
from portico_authz.store import redis_stores
from portico_runtime.redis.client import RedisClient

NAMED = {
    "Claims a code: at": "client_id redirect_uri has_verifier challenge now mark_seconds leeway jkt",
    "Stores a flow to": "record size seconds budget flow browser provider",
    "Stores a code, extends": "idle_until session_seconds client_field code_seconds",
    "Stores a session that": "session idle_until seconds sid ends_at now index_seconds person again",
}


class DeclaredScripts:
    def __init__(self) -> None:
        self.found: list[tuple[str, tuple[str, ...]]] = []

    def script(self, body: str, *, arguments: tuple[str, ...] = ()) -> None:
        self.found.append((body, arguments))


@pytest.fixture(name="declared")
def _declared() -> list[tuple[str, tuple[str, ...]]]:
    scripts = DeclaredScripts()
    redis_stores(cast("RedisClient", scripts))
    return scripts.found


def test_script_headers_name_the_declared_arguments(declared: list[tuple[str, tuple[str, ...]]]) -> None:
    """The header lists the declared names in order, so that a script can be read without its store."""
    for body, arguments in declared:
        header = re.search(r"^-- Arguments: ([\w, ]+?)(?:, then .*)?\.$", body, re.MULTILINE)
        assert (tuple(header[1].split(", ")) if header else ()) == arguments, body


def test_scripts_with_four_arguments_declare_names(declared: list[tuple[str, tuple[str, ...]]]) -> None:
    assert not [body for body, _ in declared if "ARGV[4]" in body]
    for beginning, names in NAMED.items():
        [arguments] = {arguments for body, arguments in declared if f"-- {beginning} " in body}
        assert arguments == tuple(names.split())
