from __future__ import annotations

import ast
import configparser
import json
import tomllib
from itertools import product
from typing import Any

import pytest
import yaml
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
    "nextjs": ("client_secret_basic", {"client_secret_basic", "client_secret_post", "none"}),
    "next-auth-4": ("client_secret_basic", {"client_secret_basic", "client_secret_post"}),
    "streamlit": ("client_secret_basic", {"client_secret_basic", "client_secret_post"}),
    "micronaut": ("client_secret_basic", {"client_secret_basic", "client_secret_post"}),
    "react-oidc-context": ("none", {"none"}),
    "oidc-spa": ("none", {"none"}),
    "msal-browser": ("none", {"none"}),
    "aspnet": ("client_secret_post", {"client_secret_post", "none"}),
    "laravel": ("client_secret_post", {"client_secret_post"}),
    "oauth2-proxy": ("client_secret_basic", {"client_secret_basic"}),
    "mod-auth-openidc": ("client_secret_basic", {"client_secret_basic", "client_secret_post"}),
    "grafana": ("client_secret_basic", {"client_secret_basic", "client_secret_post"}),
    "gitlab": ("client_secret_basic", {"client_secret_basic"}),
    "nextcloud": ("client_secret_post", {"client_secret_post"}),
    "argocd": ("client_secret_basic", {"client_secret_basic", "client_secret_post"}),
    "kubelogin": ("none", {"none"}),
    "device-code": ("none", {"none"}),
    "generic": ("client_secret_basic", {"client_secret_basic", "client_secret_post", "none"}),
}
"""The library's default method, and all methods it supports."""


PATHS = {
    "nextjs": "/api/auth/callback/portico",
    "next-auth-4": "/api/auth/callback/portico",
    "streamlit": "/oauth2callback",
    "micronaut": "/oauth/callback/portico",
    "oidc-spa": "/",
    "oauth2-proxy": "/oauth2/callback",
    "grafana": "/login/generic_oauth",
    "gitlab": "/users/auth/openid_connect/callback",
    "nextcloud": "/apps/user_oidc/code",
    "argocd": "/auth/callback",
    "kubelogin": "/",
}
"""Callback paths of programs that fix their own."""


def fitting(name: str, **changes: str) -> Application:
    return application(redirect_uri=f"http://localhost:3000{PATHS.get(name, '/cb')}", **changes)


def application(**changes: Any) -> Application:
    values = {name: getattr(SHOP, name) for name in SHOP.__slots__}
    return Application(**{**values, **changes})


def test_every_data_folder_is_a_listed_framework() -> None:
    assert {folder.name for folder in DATA.iterdir()} == set(FRAMEWORKS) == set(EXPECTED)
    assert FRAMEWORKS[0] == "openid-client"


def test_method_is_the_librarys_default() -> None:
    """The generated code uses the client authentication method that the library uses by default."""
    frameworks = {name: find_framework(name) for name in EXPECTED}

    assert {name: (one.method, set(one.methods)) for name, one in frameworks.items()} == EXPECTED


def test_library_that_reads_no_userinfo_is_marked() -> None:
    """Their applications get "User Info inside ID Token", and their code states it (decision 0118)."""
    marked = {name for name in EXPECTED if find_framework(name).userinfo_in_id_token}
    code = {name: "".join(find_framework(name).files.values()) for name in marked}

    assert marked == {"next-auth-4", "streamlit", "micronaut", "msal-browser", "react-oidc-context", "oidc-spa"}
    assert [name for name, text in code.items() if "User Info inside ID Token" not in " ".join(text.split())] == []


def test_no_placeholder_is_left() -> None:
    for name, method in ((name, method) for name, (_, methods) in EXPECTED.items() for method in sorted(methods)):
        rendered = render(find_framework(name), fitting(name, method=method))
        code = "\n".join(rendered.files.values())

        assert "{{" not in code, (name, method)
        assert '"shop-1"' in code, (name, method)
        assert "https://id.example.test" in code, (name, method)
        assert ("CLIENT_SECRET" in code) == (method != "none") == bool(rendered.secret_variable), (name, method)


@pytest.mark.parametrize("name", ["flask", "fastapi", "django"])
@pytest.mark.parametrize("client_id", ['a"b', "a\\", "a\n", "ä"])
def test_value_cannot_escape_its_literal(name: str, client_id: str) -> None:
    """Any value of an application stays inside its string literal."""
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
def test_unsupported_combination_is_a_sentence(changes: dict[str, Any], words: str) -> None:
    """The sentence names the reason, and no code is printed."""
    with pytest.raises(CodeUnavailable, match=words):
        render(find_framework("openid-client"), application(**changes))


@pytest.mark.parametrize(
    ("name", "file", "proof"),
    [("openid-client", "app.mjs", ", undefined, bound)"), ("go", "main.go", "HTTPClient, bound)")],
)
def test_code_sends_proofs_where_the_application_requires_them(name: str, file: str, proof: str) -> None:
    """Code for other applications has nothing of it."""
    client = find_framework(name)
    fields = {"method": "client_secret_basic"}
    bound, bearer = (render(client, application(needs_proofs=needed, **fields)).files[file] for needed in (True, False))

    assert [("DPoP" in text, proof in text) for text in (bound, bearer)] == [(True, True), (False, False)]
    assert "{{" not in bound + bearer


def test_code_without_proofs_names_a_library_with_them() -> None:
    """Code that sends no proofs is not printed for an application that requires them."""
    with pytest.raises(CodeUnavailable, match="requires DPoP"):
        render(find_framework("flask"), application(needs_proofs=True))


@pytest.mark.parametrize(("name", "path"), PATHS.items())
def test_wrong_redirect_path_is_a_sentence(name: str, path: str) -> None:
    """For a program with a fixed callback path, the sentence names that path."""
    with pytest.raises(CodeUnavailable, match=path):
        render(
            find_framework(name),
            application(redirect_uri="http://localhost:3000/another", method=find_framework(name).method),
        )


def test_device_code_needs_no_redirect_uri() -> None:
    """A command line signs users in without one (RFC 8628)."""
    rendered = render(find_framework("device-code"), application(redirect_uri="", method="none"))

    assert "initiateDeviceAuthorization" in rendered.files["cli.mjs"]


PLAIN = ("laravel", "mod-auth-openidc", "grafana", "gitlab", "nextcloud")
HOSTILE = ("a$(id)", "a#{exit}", 'a"b', "a`id`", "a\nb", "a'b", "${HOME}", "a;b")


def refusal(name: str, client_id: str) -> str:
    framework = find_framework(name)
    try:
        render(framework, fitting(name, client_id=client_id, method=framework.method))
    except CodeUnavailable as error:
        return str(error)
    return ""


def test_unsafe_values_are_refused() -> None:
    """Shells, Ruby, PHP and INI files have no literal for every value, so unsafe values get no configuration."""
    assert [row for row in product(PLAIN, HOSTILE) if "cannot hold" not in refusal(*row)] == []


def _rendered(name: str) -> dict[str, str]:
    return dict(render(find_framework(name), fitting(name, method=find_framework(name).method)).files)


def test_configuration_parses_in_its_format() -> None:
    """TOML, YAML, INI and JSON parse, with the values where the programs read them."""
    proxy = tomllib.loads(_rendered("oauth2-proxy")["oauth2-proxy.cfg"])
    kube = yaml.safe_load(_rendered("kubelogin")["kubeconfig.yaml"])
    grafana = configparser.ConfigParser(interpolation=None)
    grafana.read_string(_rendered("grafana")["grafana.ini"])
    any_client = json.loads(_rendered("generic")["portico.json"])
    arguments = kube["users"][0]["user"]["exec"]["args"]

    assert (proxy["client_id"], proxy["oidc_issuer_url"], proxy["cookie_secure"]) == ("shop-1", SHOP.issuer, False)
    assert arguments[arguments.index("--oidc-client-id") + 1] == "shop-1"
    assert grafana["auth.generic_oauth"]["token_url"] == "https://id.example.test/oauth/v2/token"
    assert grafana["server"]["root_url"] == "http://localhost:3000/"
    assert any_client["redirect_uri"] == "http://localhost:3000/cb"


def test_unknown_framework_is_refused() -> None:
    with pytest.raises(LookupError):
        find_framework("../data")


def test_port_is_that_of_the_redirect_uri() -> None:
    """The code listens on the port of the redirect URI, or on 3000 behind a proxy."""
    local = render(find_framework("openid-client"), application(redirect_uri="http://localhost:4711/cb")).files[
        "app.mjs"
    ]
    public = render(find_framework("openid-client"), application(redirect_uri="https://shop.example/cb")).files[
        "app.mjs"
    ]

    assert ".listen(4711, " in local
    assert ".listen(3000, " in public


def test_programs_get_the_roles_as_a_list() -> None:
    """Each program with groups reads them from the claim configured for its application."""
    named = {name for name in FRAMEWORKS if find_framework(name).roles_claim}
    grafana = configparser.ConfigParser(interpolation=None)
    grafana.read_string(_rendered("grafana")["grafana.ini"])
    settings, rights = yaml.safe_load_all(_rendered("argocd")["argocd.yaml"])

    assert named == {"grafana", "argocd", "kubelogin", "gitlab", "oauth2-proxy", "nextcloud"}
    assert {find_framework(name).roles_claim for name in named} == {"groups"}
    assert all("groups" in text for name in named for text in _rendered(name).values())
    assert "urn:portico" not in grafana["auth.generic_oauth"]["scopes"]
    assert yaml.safe_load(settings["data"]["oidc.config"])["clientID"] == "shop-1"
    assert settings["data"]["url"] == "http://localhost:3000"
    assert rights["data"]["scopes"] == "[groups]"
