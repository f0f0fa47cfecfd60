"""Finished code: every framework, with every method its library has, for any application."""

from __future__ import annotations

import ast
import json

import pytest
from portico_snippets import FRAMEWORKS, Application, CodeUnavailable, find_framework, render
from portico_snippets.frameworks import DATA

SHOP = Application("https://id.example.test", "shop-1", "http://localhost:3000/cb", "client_secret_basic")

EXPECTED = {
    "openid-client": ("client_secret_post", {"client_secret_basic", "client_secret_post", "none"}),
    "flask": ("client_secret_basic", {"client_secret_basic", "client_secret_post", "none"}),
    "fastapi": ("client_secret_basic", {"client_secret_basic", "client_secret_post", "none"}),
    "django": ("client_secret_post", {"client_secret_basic", "client_secret_post"}),
    "spring": ("client_secret_basic", {"client_secret_basic", "client_secret_post"}),
    "go": ("client_secret_basic", {"client_secret_basic", "client_secret_post"}),
}
"""The method each library uses without configuration, and those it has."""


def application(**changes: str) -> Application:
    """The shop, with changes."""
    values = {name: getattr(SHOP, name) for name in SHOP.__slots__}
    return Application(**{**values, **changes})


def test_every_folder_of_data_is_a_framework() -> None:
    """A folder that the list does not name would never be offered, and the first name is the default."""
    assert {folder.name for folder in DATA.iterdir()} == set(FRAMEWORKS) == set(EXPECTED)
    assert FRAMEWORKS[0] == "openid-client"


@pytest.mark.parametrize("name", EXPECTED)
def test_code_fits_what_its_library_does(name: str) -> None:
    """The method of a framework is the one its library uses by default, so that no client posts a secret into a 401."""
    framework = find_framework(name)

    assert (framework.method, set(framework.methods)) == EXPECTED[name]


@pytest.mark.parametrize(
    ("name", "method"), [(name, method) for name in EXPECTED for method in sorted(EXPECTED[name][1])]
)
def test_no_placeholder_is_left(name: str, method: str) -> None:
    """Whatever the framework and the method, the code has the values of the application and no secret of its own."""
    rendered = render(find_framework(name), application(method=method))
    code = "\n".join(rendered.files.values())

    assert "{{" not in code
    assert '"shop-1"' in code
    assert '"https://id.example.test"' in code
    assert ("CLIENT_SECRET" in code) == (method != "none") == bool(rendered.secret_variable)


@pytest.mark.parametrize("name", ["flask", "fastapi", "django"])
@pytest.mark.parametrize("client_id", ['a"b', "a\\", "a\n", "ä"])
def test_a_value_cannot_leave_its_literal(name: str, client_id: str) -> None:
    """Values are written as string literals: whatever they contain stays a value and does not become code."""
    [text] = render(
        find_framework(name), application(client_id=client_id, method=find_framework(name).method)
    ).files.values()
    literals = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]

    assert client_id in literals
    assert json.dumps(client_id) in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"redirect_uri": "shop://callback"}, "http or https"),
        ({"redirect_uri": "http://localhost:3000"}, "a path of its own"),
        ({"redirect_uri": "http://localhost:3000/login"}, "a path of its own"),
        ({"method": "private_key_jwt"}, "not private_key_jwt"),
    ],
)
def test_what_the_code_cannot_do_is_a_sentence(changes: dict[str, str], words: str) -> None:
    """Code that would not work is not printed; the sentence names the obstacle."""
    with pytest.raises(CodeUnavailable, match=words):
        render(find_framework("openid-client"), application(**changes))


def test_unknown_frameworks_are_refused() -> None:
    """A name is looked up in the list and never becomes a path."""
    with pytest.raises(LookupError):
        find_framework("../data")


def test_the_port_is_that_of_the_redirect_uri() -> None:
    """The code listens where the browser is sent back to, and on 3000 behind a proxy."""
    local = render(find_framework("openid-client"), application(redirect_uri="http://localhost:4711/cb")).files[
        "app.mjs"
    ]
    public = render(find_framework("openid-client"), application(redirect_uri="https://shop.example/cb")).files[
        "app.mjs"
    ]

    assert ".listen(4711, " in local
    assert ".listen(3000, " in public
