"""Words of diagnostics: every endpoint, check and accepted value that the services record has one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from portico_console.console_app.refusals.words import CHECKS, ENDPOINTS, EXPECTED, checks_of
from portico_contracts.diagnostics import DiagnosedEndpoint

SERVICES = Path(__file__).parents[3]
RECORDING = ("Compared", "compare_length", "DiagnosticCheck", "compare_registered", "compare_uri", "_compare")
OF_ASSERTIONS = ("InvalidAssertion", "_untimely")
"""Their texts are for the log, but for the accepted values."""
OF_THE_PROTOCOL = {"Authorization: Bearer", "S256 (43 characters)"}


@cache
def trees() -> tuple[ast.AST, ...]:
    return tuple(_trees())


def _trees() -> Iterator[ast.AST]:
    for service in ("authz", "token", "users"):
        for path in sorted((SERVICES / service / f"portico_{service}").glob("**/*.py")):
            if any(word in (text := path.read_text()) for word in ("Compared", "DiagnosticCheck", "InvalidAssertion")):
                yield ast.parse(text)


def calls(tree: ast.AST, names: tuple[str, ...]) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in names:
                yield node


def texts(node: ast.AST) -> set[str]:
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def recorded_checks() -> set[str]:
    """The first argument of a call that compares, and the tables of the checks of an endpoint."""
    found: set[str] = set()
    for tree in trees():
        for call in calls(tree, RECORDING):
            first = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "name")]
            found |= {one.value for one in first if isinstance(one, ast.Constant) and isinstance(one.value, str)}
        for node in ast.walk(tree):
            if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") in (
                "CHECKS",
                "LOGOUT_CHECKS",
                "_URI",
            ):
                found |= {text for text in texts(node) if "_" in text or text.isalpha()}
    return {one for one in found if one and " " not in one}


def recorded_sentences() -> set[str]:
    """Texts of several words among the accepted values."""
    found: set[str] = set()
    for tree in trees():
        for call in calls(tree, (*RECORDING, *OF_ASSERTIONS, "append")):
            kinds = ast.Tuple if call in calls(tree, OF_ASSERTIONS) else ast.Constant | ast.Tuple
            for one in (*call.args, *(key.value for key in call.keywords if key.arg == "wanted")):
                found |= texts(one) if isinstance(one, kinds) else set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "wanted":
                found |= texts(node.value)
    return {one for one in found if " " in one.strip()} - OF_THE_PROTOCOL


def test_endpoint_has_a_word() -> None:
    assert set(ENDPOINTS) == {one.value for one in DiagnosedEndpoint}


def test_check_has_a_word() -> None:
    assert recorded_checks() - set(CHECKS) == set()
    assert len(recorded_checks()) > 20


def test_accepted_value_in_words_is_translated() -> None:
    assert recorded_sentences() - EXPECTED == set()
    assert len(recorded_sentences()) > 20


def test_values_are_shown_in_the_language_of_the_page() -> None:
    """Lengths instead of secrets are words too; values of the protocol stay."""
    check = {"name": "client", "given": "316112\u2026 (18 characters)", "wanted": ["an active application", "S256"]}
    [shown] = checks_of({"checks": [check]}, lambda text: f"<{text}>")

    assert shown["label"] == "<Application>"
    assert shown["given"] == "316112\u2026 <(18 characters)>"
    assert (shown["values"], shown["sentences"]) == (["S256"], ["<an active application>"])


def test_check_of_a_newer_release_keeps_its_name() -> None:
    [shown] = checks_of({"checks": [{"name": "new_check"}]}, str.upper)

    assert shown["label"] == "new_check"
