"""Code for APIs that check access tokens (decision 0092)."""

from __future__ import annotations

import ast
import dataclasses

import pytest
import yaml
from portico_snippets import API_FRAMEWORKS, Api, CodeUnavailable, Rendered, find_api_framework, render_api
from portico_snippets.frameworks import API_DATA

ORDERS = Api(
    "https://id.example.test",
    "orders-1",
    "client_secret_basic",
    ("https://orders.example.test", "urn:orders"),
    ("orders.read", "orders.write", "orders.delete"),
)
ASKING = ("fastapi", "express")
"""Those that also accept opaque tokens, by introspection."""


def rendered(name: str, **changes: object) -> Rendered:
    return render_api(find_api_framework(name), dataclasses.replace(ORDERS, **changes))  # type: ignore[arg-type]


def test_every_folder_is_a_listed_framework() -> None:
    assert {folder.name for folder in API_DATA.iterdir()} == set(API_FRAMEWORKS)


@pytest.mark.parametrize("name", API_FRAMEWORKS)
def test_code_checks_issuer_audience_type_and_scopes(name: str) -> None:
    """The audience is the resource, and each route has its scope; only introspection needs the secret."""
    found = rendered(name)
    code = "\n".join(found.files.values())

    assert "{{" not in code
    assert all(f'"{text}"' in code for text in ("https://id.example.test", "https://orders.example.test", "at+jwt"))
    assert all(code.count(f'"{scope}"') == 1 for scope in ORDERS.scopes[:2])
    assert "orders.delete" not in code
    assert found.secret_variable == ("CLIENT_SECRET" if name in ASKING else "")
    assert ('"orders-1"' in code) == (name in ASKING)


@pytest.mark.parametrize("name", API_FRAMEWORKS)
def test_route_names_the_roles_of_its_scope(name: str) -> None:
    """The check of the scope is the check of the role (decision 0142)."""
    limited = "\n".join(rendered(name, roles={"orders.write": ("buyer", "seller")}).files.values()).splitlines()
    [number] = [number for number, line in enumerate(limited) if "with the role buyer or seller." in line]

    assert "POST" in limited[number + 1] or "post" in limited[number + 1]
    assert limited[:number] + limited[number + 1 :] == "\n".join(rendered(name).files.values()).splitlines()


@pytest.mark.parametrize("name", API_FRAMEWORKS)
def test_client_id_is_the_audience_without_a_resource(name: str) -> None:
    """An API with one scope requires it on both routes."""
    code = "\n".join(rendered(name, resources=(), scopes=("all",)).files.values())

    assert '"orders-1"' in code
    assert code.count('"all"') == 2


def test_configuration_parses_in_its_format() -> None:
    spring = yaml.safe_load(rendered("spring").files["src/main/resources/application.yml"])

    assert spring["spring.security.oauth2.resourceserver.jwt"] == {
        "issuer-uri": "https://id.example.test", "audiences": "https://orders.example.test",
    }  # fmt: skip
    assert ast.parse(rendered("fastapi").files["api.py"])


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("go", {"scopes": ()}, "needs a scope of the API"),
        ("fastapi", {"method": "private_key_jwt"}, "needs client_secret_basic"),
    ],
)
def test_unavailable_code_is_a_sentence(name: str, changes: dict[str, object], words: str) -> None:
    """Without a scope there is nothing to check; introspection with a key has no code."""
    with pytest.raises(CodeUnavailable, match=words):
        rendered(name, **changes)


def test_unknown_framework_is_refused() -> None:
    with pytest.raises(LookupError):
        find_api_framework("grafana")
