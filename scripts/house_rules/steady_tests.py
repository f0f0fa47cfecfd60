"""Rules against flaky tests: fixed pauses, short deadlines, chosen ports, unloaded pages and short markers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from house_rules.rule import Finding
from house_rules.source import Source

SHORTEST_DEADLINE: Final = 60
"""Seconds. Deadlines that failed by chance were between one and ten."""

_PAUSES: Final = frozenset({"sleep", "wait", "wait_for_timeout"})
_DEADLINES: Final = {"eventually": 2, "timeout": 0, "wait_for": 1}
"""Functions that limit a wait, with the position of the argument that limits it."""
_CLIENTS: Final = frozenset({"AsyncClient", "Client"})
_LIMITED: Final = frozenset({*_DEADLINES, *_CLIENTS})
_AT_ONCE: Final = frozenset({"all", "all_inner_texts", "all_text_contents", "count", "is_checked", "is_visible"})
_WAITING: Final = frozenset({"expect", "goto", "reload", "wait_for", "wait_for_url", "expect_signed_in"})
_TEXTS: Final = frozenset({"body", "content", "data", "page", "stored", "text", "value"})
_AS_TEXT: Final = frozenset({"decode", "join", "repr", "str"})
_LISTENERS: Final = frozenset({"bind", "create_server", "start_server"})


class FixedWaits:
    """A test does not sleep: a pause is too short on a busy machine and too long everywhere else.

    Use `portico_harness.eventually.eventually` to wait for a condition. `asyncio.sleep(0)` is allowed; the
    duration of a load, a slow server or an outage is allowed with a reason.
    """

    name: ClassVar[str] = "fixed-wait"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports pauses, and waits of a fixed time for tasks."""
        for call in _calls(source, _PAUSES):
            if _is_pause(call):
                text = "wait for the condition with portico_harness.eventually instead of a fixed time"
                yield Finding(source.path, call.end_lineno or call.lineno, self.name, text)


class ShortDeadlines:
    """A deadline of a few seconds fails by chance on a busy machine.

    Use `portico_harness.eventually.HANGS`, which only a hang exceeds. Where a requirement limits the time,
    use a constant with its reason, or a frozen clock.
    """

    name: ClassVar[str] = "short-deadline"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports deadlines written as a number below `SHORTEST_DEADLINE`."""
        for call in _calls(source, _LIMITED):
            limit = _limit(call)
            if limit is not None and limit < SHORTEST_DEADLINE:
                text = f"a busy machine takes more than {limit} s: use portico_harness.eventually.HANGS"
                yield Finding(source.path, call.end_lineno or call.lineno, self.name, text)


class ChosenPorts:
    """A port that was probed and released may be taken by another program before it is used.

    A server in a test listens on port 0. A program that needs a number gets one of
    `portico_stack.machine.ports.free_port`, which reserves it on this machine.
    """

    name: ClassVar[str] = "chosen-port"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports sockets bound by tests, and test servers with a fixed port."""
        for call in _calls(source, _LISTENERS):
            port = _port(call)
            if port is not None and (port or _name_of(call) == "bind"):
                text = (
                    "listen on port 0 and read the port from the listener, or use portico_stack.machine.ports.free_port"
                )
                yield Finding(source.path, call.lineno, self.name, text)


class LoadingPages:
    """After a click a page is read only with `expect`, because ``click`` returns before the next page is loaded.

    ``count``, ``all_inner_texts`` and the URL of a tab do not wait.
    """

    name: ClassVar[str] = "loading-page"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports reads that do not wait, between a click and the next wait."""
        if not source.is_test or "playwright" not in source.text:
            return
        for function in source.functions():
            clicked = False
            for statement in function.body:
                names = {_name_of(node) for node in ast.walk(statement) if isinstance(node, ast.Call)}
                if clicked and names & _AT_ONCE and not names & _WAITING:
                    text = "wait with expect for what the page shows before reading it"
                    yield Finding(source.path, statement.end_lineno or statement.lineno, self.name, text)
                clicked = (clicked or "click" in names) and not names & _WAITING


class ShortMarkers:
    """A text with a random part, such as an id, a nonce or a ciphertext, contains three letters by chance.

    Use a longer marker, or one with a character that no random part has, such as a quote.
    """

    name: ClassVar[str] = "short-marker"

    def check(self, source: Source) -> Iterator[Finding]:
        """Reports tests that a text does not contain up to three letters and digits."""
        if not source.is_test or " not in " not in source.text:
            return
        for node in source.nodes():
            match node:
                case ast.Compare(
                    left=ast.Constant(value=str() | bytes() as marker), ops=[ast.NotIn()], comparators=[text]
                ):
                    if _is_short(marker) and _is_text(text):
                        yield Finding(
                            source.path, node.lineno, self.name, "random text contains it: use a longer marker"
                        )
                case _:
                    pass


def _is_short(marker: str | bytes) -> bool:
    return (
        re.fullmatch(r"[A-Za-z0-9_-]{1,3}", marker if isinstance(marker, str) else marker.decode("latin-1")) is not None
    )


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _TEXTS
        case ast.Call():
            return _name_of(node) in _AS_TEXT
        case _:
            return False


def _calls(source: Source, names: frozenset[str]) -> Iterator[ast.Call]:
    if source.is_test and re.search(rf"\b({'|'.join(sorted(names))})\(", source.text):
        for node in source.nodes():
            if isinstance(node, ast.Call) and _name_of(node) in names:
                yield node


def _name_of(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _is_pause(call: ast.Call) -> bool:
    if _name_of(call) == "wait":
        return _number(_keyword(call, "timeout")) is not None
    return bool(call.args) and _number(call.args[0]) != 0


def _limit(call: ast.Call) -> float | None:
    name = _name_of(call)
    if name in _CLIENTS:
        return _number(_keyword(call, "timeout"))
    place = _DEADLINES[name]
    given = call.args[place] if len(call.args) > place else _keyword(call, "seconds") or _keyword(call, "timeout")
    return _number(given)


def _port(call: ast.Call) -> int | None:
    """Returns the port of a listener if it is a literal number."""
    for argument in call.args:
        match argument:
            case ast.Constant(value=int(port)) | ast.Tuple(elts=[_, ast.Constant(value=int(port)), *_]):
                return port
            case _:
                pass
    return None


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _number(node: ast.expr | None) -> float | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else None
