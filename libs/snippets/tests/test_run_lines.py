"""The commands that start the finished code set every variable that the code reads."""

from __future__ import annotations

import re

import pytest
from portico_snippets import (
    API_FRAMEWORKS,
    FRAMEWORKS,
    Api,
    Application,
    Rendered,
    find_api_framework,
    find_framework,
    render,
    render_api,
)

READS = re.compile(
    r"""environ(?:\.get\(|\[)"(\w+)|[gG]etenv\("(\w+)|GetEnvironmentVariable\("(\w+)|process\.env\.(\w+)"""
    r"""|ENV\.fetch\("(\w+)|\benv\('(\w+)|\$__env\{(\w+)|\$\{?([A-Z][A-Z_]+)\b|environment variable (\w+)"""
)
"""How each language and program reads a variable of its environment."""

CODE = [(name, method) for name in FRAMEWORKS for method in find_framework(name).methods]


def lacking(rendered: Rendered) -> list[str]:
    code = "\n".join(rendered.files.values())
    names = {next(filter(None, found.groups())) for found in READS.finditer(code)}
    return sorted(name for name in names if not re.search(rf"\b{name}=", rendered.run))


@pytest.mark.parametrize(("name", "method"), CODE)
def test_command_sets_what_the_code_reads(name: str, method: str) -> None:
    framework = find_framework(name)
    uri = f"http://localhost:3000{framework.redirect_path or '/cb'}"
    rendered = render(framework, Application("https://id.example.test", "shop-1", uri, method))

    assert lacking(rendered) == []
    assert rendered.run.startswith("export CLIENT_SECRET=…") == (method != "none")


@pytest.mark.parametrize("name", API_FRAMEWORKS)
def test_command_of_an_api_sets_what_it_reads(name: str) -> None:
    api = Api("https://id.example.test", "orders-1", "client_secret_basic", (), ("orders.read",))

    assert lacking(render_api(find_api_framework(name), api)) == []


def test_every_way_to_read_the_secret_is_known() -> None:
    """Otherwise a new language would pass unseen."""
    for name, method in CODE:
        framework = find_framework(name)
        uri = f"http://localhost:3000{framework.redirect_path or '/cb'}"
        rendered = render(framework, Application("https://id.example.test", "shop-1", uri, method))
        code = "\n".join([*rendered.files.values(), framework.run])
        assert ("CLIENT_SECRET" in {next(filter(None, one.groups())) for one in READS.finditer(code)}) == bool(
            rendered.secret_variable
        ), name
