"""The guide to clients matches the tests: each block is in a tested file, each version in a lock file."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/guides/clients.md"
CLIENTS = ROOT / "tests-e2e/clients"

FURTHER = "tests-e2e/clients/further/package.json"

SHOWN = {
    "openid-client": "tests-e2e/clients/node/openid_client.mjs",
    "express-openid-connect": "tests-e2e/clients/node/express_openid_connect.mjs",
    "Passport": "tests-e2e/clients/node/passport.mjs",
    "Auth.js": "tests-e2e/clients/node/auth.mjs",
    "Authlib": "tests-e2e/scenarios/portico_scenarios/libraries.py",
    "requests-oauthlib": "tests-e2e/scenarios/portico_scenarios/libraries.py",
    "django-allauth": "tests-e2e/clients/python/django_allauth.py",
    "Spring resource server": "tests-e2e/clients/spring/src/main/resources/application.yml",
    "zitadel/oidc": "tests-e2e/clients/go/main.go",
    "Apache with mod_auth_openidc": "tests-e2e/clients/apache/httpd.conf",
    "keycloak-js": "tests-e2e/clients/further/pages/keycloak.js",
    "okta-auth-js": "tests-e2e/clients/further/pages/okta.js",
    "AppAuth-JS": "tests-e2e/clients/further/pages/appauth.js",
    "angular-auth-oidc-client": "tests-e2e/clients/further/pages/angular.js",
}
"""By section: the file of its last block."""

LOCKED = {
    "openid-client (": ("tests-e2e/clients/node/package.json", '"openid-client": "{}"'),
    "openid-client 5": (FURTHER, '"openid-client": "{}"'),
    "next-auth 4": (FURTHER, '"next-auth": "{}"'),
    "react-oidc-context": (FURTHER, '"react-oidc-context": "{}"'),
    "oidc-spa": (FURTHER, '"oidc-spa": "{}"'),
    "MSAL": (FURTHER, '"@azure/msal-browser": "{}"'),
    "keycloak-js": (FURTHER, '"keycloak-js": "{}"'),
    "okta-auth-js": (FURTHER, '"@okta/okta-auth-js": "{}"'),
    "AppAuth-JS": (FURTHER, '"@openid/appauth": "{}"'),
    "angular-auth-oidc-client": (FURTHER, '"angular-auth-oidc-client": "{}"'),
    "oauth4webapi (Node.js)": ("tests-e2e/clients/node/package.json", '"oauth4webapi": "{}"'),
    "dpop with fetch": ("tests-e2e/clients/node/package.json", '"dpop": "{}"'),
    "requests-oauth2client": ("tests-e2e/clients/dpop_python/requirements.lock", "requests-oauth2client=={} "),
    "oauth4webapi (browser)": (FURTHER, '"oauth4webapi": "{}"'),
    "express-openid-connect": ("tests-e2e/clients/node/package.json", '"express-openid-connect": "{}"'),
    "passport-openidconnect": ("tests-e2e/clients/node/package.json", '"passport-openidconnect": "{}"'),
    "Auth.js": ("tests-e2e/clients/node/package.json", '"@auth/core": "{}"'),
    "Authlib": ("requirements.lock", "authlib=={} "),
    "requests-oauthlib": ("requirements.lock", "requests-oauthlib=={} "),
    "mozilla-django-oidc": ("requirements.lock", "mozilla-django-oidc=={} "),
    "django-allauth": ("requirements.lock", "django-allauth=={} "),
    "Spring Boot, OAuth": ("libs/snippets/portico_snippets/data/spring/pom.xml.in", "<version>{}</version>"),
    "Spring Boot, resource": ("tests-e2e/clients/spring/pom.xml", "<version>{}</version>"),
    "PyJWT": ("requirements.lock", "pyjwt=={} "),
    "jose": ("tests-e2e/clients/node/package.json", '"jose": "{}"'),
    "coreos/go-oidc": ("libs/snippets/portico_snippets/data/go/go.mod.in", "coreos/go-oidc/v3 v{}\n"),
    "zitadel/oidc": ("tests-e2e/clients/go/go.mod", "zitadel/oidc/v3 v{}\n"),
    "oidc-client-ts": ("tests-e2e/browser_libraries/package.json", '"oidc-client-ts": "{}"'),
    "oidc-client (": ("tests-e2e/browser_libraries/package.json", '"oidc-client": "{}"'),
}
"""By the beginning of a table row: file and pattern of the tested version."""

_BLOCK = re.compile(r"\]\(\.\./\.\./([^)]+)\):\n\n```[a-z]+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def lines_of(text: str) -> str:
    return "\n".join(line.strip() for line in dedent(text).strip().splitlines())


def test_guide_blocks_are_tested() -> None:
    """Every code block of the guide is part of a tested program, apart from its indentation."""
    text = GUIDE.read_text(encoding="utf-8")
    sections = {part.split("\n", 1)[0]: _BLOCK.findall(part) for part in text.split("\n## ")[1:]}
    blocks = [block for found in sections.values() for block in found]

    assert {name: found[-1][0] for name, found in sections.items() if found} == SHOWN
    assert len(blocks) == text.count("\n```") // 2
    for path, block in blocks:
        assert lines_of(block) in lines_of((ROOT / path).read_text(encoding="utf-8")), block


@pytest.mark.parametrize("client", LOCKED)
def test_guide_versions_are_tested(client: str) -> None:
    """The library versions in the guide are those that the tests run with."""
    [version] = re.findall(rf"^\| {re.escape(client)}[^|]*\| (\S+) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    file, pattern = LOCKED[client]

    assert pattern.format(version) in (ROOT / file).read_text(encoding="utf-8")


def test_rows_without_a_lock_are_marked() -> None:
    """A client that no test runs is marked, and no other."""
    rows = re.findall(
        r"^\| (.*\((?:Node|Python|Java|Go|browser).*|Apache with .*) \|$", GUIDE.read_text(), re.MULTILINE
    )
    marked = [row.partition(" ")[0] for row in rows if row.endswith("run by hand")]
    unknown = [row.partition(" ")[0] for row in rows if not row.startswith((*LOCKED, "Apache"))]

    assert len(rows) == len(LOCKED) + 1 + len(marked)
    assert unknown == marked == ["grant", "Streamlit", "Micronaut"]


def test_lines_for_applications_that_move_from_keycloak_are_tested() -> None:
    """The guide to moving has the configuration that the test of keycloak-js runs."""
    guide = (ROOT / "docs/guides/moving-from-keycloak.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```js\n(.*?)```", guide, re.DOTALL)
    tested = [line.strip() for line in (ROOT / SHOWN["keycloak-js"]).read_text(encoding="utf-8").splitlines()]

    assert [line for line in block.splitlines() if line not in tested] == []
