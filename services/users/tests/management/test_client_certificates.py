"""Settings of applications that authenticate with a certificate (RFC 8705, decision 0151)."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from portico_contracts.users import AuthMethod
from portico_harness.client_certificates import new_certificate

from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers

TLS = {"authMethodType": "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH"}
SELF_SIGNED = {"authMethodType": "OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH"}


@pytest.mark.parametrize(
    ("members", "error"),
    [
        (TLS, "USER-796"),
        ({"certificateSubject": "san_dns:client.example.test"}, "USER-796"),
        (SELF_SIGNED | {"certificateSubject": "san_dns:client.example.test"}, "USER-796"),
        *(
            (TLS | {"certificateSubject": subject}, "USER-795")
            for subject in (
                "client.example.test", "san_dns:", "san_dns:*.example.test", "san_dns:a b", "san_dns: a.example",
                "san_dns:a..b", "san_dns:.a", "san_dns:\u00e4.example", "san_dns:a/b", "san_ip:300.0.0.1", "san_email:client", "san_uri:client", "subject_dn:client",
                "subject_dn:CN=", "san_dir:CN=a", "SAN_DNS:a.example", "san_dns:a.example\n",
            )
        ),
    ],
)  # fmt: skip
async def test_subject_is_checked_at_save(managed: Any, members: dict[str, Any], error: str) -> None:
    """TLS_CLIENT_AUTH has exactly one readable subject, and no other method has one."""
    await managed.furnish("owner")
    refused = await on_apps(managed, "AddOIDCApp", "/oidc", name="machine", **CODE | members)

    assert (refused.error_code, refused.fields) == (error, ["certificateSubject"])


async def test_subject_is_stored_without_a_secret(managed: Any) -> None:
    await managed.furnish("owner")
    subject = "subject_dn:CN=client,O=Example"
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="machine", **CODE | TLS, certificateSubject=subject)
    client = await managed.users.client(added.body["clientId"])

    assert added.body.get("clientSecret", "") == ""
    assert (client.auth_method, client.certificate_subject) == (AuthMethod.TLS_CLIENT_AUTH, subject)
    assert client.keys == ()


async def test_key_of_a_certificate_is_registered(managed: Any) -> None:
    """A certificate or its public key registers the same key, and no private key is returned."""
    await managed.furnish("owner")
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="machine", **CODE | SELF_SIGNED)
    issued = new_certificate("CN=client")
    sent = {"type": "KEY_TYPE_JSON", "publicKey": base64.b64encode(issued.pem.encode()).decode()}
    key = await on_apps(managed, "AddAppKey", f"/{added.body['appId']}/keys", **sent)
    client = await managed.users.client(added.body["clientId"])

    assert key.error_code == ""
    assert key.body.get("keyDetails", "") == ""
    assert [(one.kid, one.alg) for one in client.keys] == [(key.body["id"], "ES256")]


@pytest.mark.parametrize(
    "text",
    ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "twice"],
    ids=["empty", "broken", "two"],
)
async def test_other_texts_are_no_certificate(managed: Any, text: str) -> None:
    """What cannot be read is refused by name, and registers nothing; an empty text creates a key pair."""
    await managed.furnish("owner")
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="machine", **CODE | SELF_SIGNED)
    written = new_certificate("CN=a").pem * 2 if text == "twice" else text
    sent = {"type": "KEY_TYPE_JSON", "publicKey": base64.b64encode(written.encode()).decode()}
    answer = await on_apps(managed, "AddAppKey", f"/{added.body['appId']}/keys", **sent)

    assert answer.error_code == ("" if not text else "USER-051")
    assert len((await managed.users.client(added.body["clientId"])).keys) == (0 if text else 1)
