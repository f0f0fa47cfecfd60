"""Clients that authenticate with a certificate, of Keycloak and Auth0 (RFC 8705)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from portico_contracts.apply import ApiAuthMethodName, AuthMethodName

from .test_documents import client, convert, document_in, realm_file

ESCAPED = "subject_dn:CN=client,O=Example"


def keycloak(tmp_path: Path, **members: Any) -> Any:
    output = tmp_path / "portico.yaml"
    one = client("machine", clientAuthenticatorType="client-x509", **members)
    result = convert(output, realm_file(tmp_path, {"realm": "one", "clients": [one]}))
    [project] = document_in(output).organizations[0].projects or ()
    return project, result.stderr


@pytest.mark.parametrize(
    ("subject", "wanted"),
    [
        ("CN=client,O=Example", "subject_dn:CN=client,O=Example"),
        ("EMAILADDRESS=it@example.test,CN=client", "subject_dn:emailAddress=it@example.test,CN=client"),
        ("CN=client,EMAILADDRESS=it@example.test", "subject_dn:CN=client,emailAddress=it@example.test"),
    ],
)
def test_keycloak_subject_is_kept(tmp_path: Path, subject: str, wanted: str) -> None:
    project, _ = keycloak(tmp_path, attributes={"x509.subjectdn": subject})
    [app] = project.oidc_apps

    assert (app.auth_method_type, app.certificate_subject) == (AuthMethodName.TLS_CLIENT_AUTH, wanted)
    assert app.client_secret is None


@pytest.mark.parametrize(
    "attributes",
    [
        {"x509.subjectdn": "CN=.*", "x509.allow.regex.pattern.comparison": "true"},
        {"x509.subjectdn": "(.*?)(?:$)"},
        {},
    ],
)
def test_keycloak_pattern_is_reported(tmp_path: Path, attributes: dict[str, str]) -> None:
    """A pattern would accept other subjects, so the client gets a secret, and the operator learns why."""
    project, told = keycloak(tmp_path, attributes=attributes)

    assert project.oidc_apps[0].auth_method_type is AuthMethodName.BASIC
    assert "authentication by a certificate whose subject is a pattern or missing" in told


def test_keycloak_api_keeps_its_certificate(tmp_path: Path) -> None:
    project, _ = keycloak(tmp_path, bearerOnly=True, attributes={"x509.subjectdn": "CN=client,O=Example"})
    [api] = project.api_apps

    assert (api.auth_method_type, api.certificate_subject) == (ApiAuthMethodName.TLS_CLIENT_AUTH, ESCAPED)


def test_service_account_with_a_certificate_is_reported(tmp_path: Path) -> None:
    """A service user has a secret or keys only."""
    output = tmp_path / "portico.yaml"
    one = client(
        "machine",
        clientAuthenticatorType="client-x509",
        attributes={"x509.subjectdn": "CN=client"},
        standardFlowEnabled=False,
        serviceAccountsEnabled=True,
    )
    result = convert(output, realm_file(tmp_path, {"realm": "one", "clients": [one]}))

    assert "a client certificate: a service user needs a secret or a key" in result.stderr


def auth0(tmp_path: Path, **methods: Any) -> tuple[Any, str]:
    tenant = tmp_path / "tenant.json"
    one = {
        "name": "machine",
        "client_id": "machine",
        "grant_types": ["authorization_code"],
        "callbacks": ["https://a.example/cb"],
    }
    tenant.write_text(json.dumps({"clients": [{**one, "client_authentication_methods": methods}]}))
    output = tmp_path / "portico.yaml"
    result = convert(output, tenant, source="auth0")
    [project] = document_in(output).organizations[0].projects or ()
    [app] = project.oidc_apps or ()
    return app, result.stderr


def test_auth0_certificates_are_kept(tmp_path: Path) -> None:
    """A subject is registered as such, and of a self-signed certificate its key."""
    issued, _ = auth0(tmp_path, tls_client_auth={"credentials": [{"subject_dn": "CN=client,O=Example"}]})
    signed, _ = auth0(tmp_path, self_signed_tls_client_auth={"credentials": [{"pem": "-----BEGIN CERTIFICATE-----"}]})
    assert (issued.auth_method_type, issued.certificate_subject) == (AuthMethodName.TLS_CLIENT_AUTH, ESCAPED)
    assert signed.auth_method_type is AuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH
    assert [key.public_key for key in signed.keys] == ["-----BEGIN CERTIFICATE-----"]


def test_auth0_second_subject_is_reported(tmp_path: Path) -> None:
    """An application has one subject, so that further ones of the old client are named."""
    app, told = auth0(tmp_path, tls_client_auth={"credentials": [{"subject_dn": "CN=a"}, {"subject_dn": "CN=b"}]})

    assert app.certificate_subject == "subject_dn:CN=a"
    assert "another subject of a client certificate: set certificateSubject of the application (CN=b)" in told
