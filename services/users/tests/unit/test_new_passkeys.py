"""Whether a new credential is a passkey (WebAuthn, section 10.1.3)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.randomness import seeded_bytes
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator, Wrong
from portico_oauth.opaque import b64url
from portico_users.credentials.webauthn.ceremonies import Ceremony, Use
from portico_users.credentials.webauthn.new_credential import read_new_credential
from portico_users.credentials.webauthn.options import UserEntity, creation_options

ORIGIN = "http://localhost:8080"


def begun(use: Use) -> Ceremony:
    return Ceremony(
        id="k1",
        use=use,
        user_id="u1",
        begun_by="u1",
        challenge=b64url(bytes(32)),
        rp_id="localhost",
        user_verified=use is Use.PASSKEY,
        expires_at=0,
    )


@pytest.mark.parametrize(
    ("use", "results", "is_passkey"),
    [
        (Use.PASSKEY, {"credProps": {"rk": True}}, True),
        (Use.PASSKEY, {"credProps": {"rk": False}}, False),
        (Use.PASSKEY, {"credProps": {}}, True),
        (Use.PASSKEY, {}, True),
        (Use.PASSKEY, {"credProps": None}, True),
        (Use.U2F, {"credProps": {"rk": True}}, False),
    ],
)
def test_non_discoverable_credential_is_a_security_key(use: Use, results: dict[str, Any], is_passkey: bool) -> None:
    """The options request the credProps extension; without a result the credential is of the requested kind."""
    options = creation_options(begun(use), UserEntity("ada", "Ada"), ())
    answered = Wrong(credential=lambda right: {**right, "clientExtensionResults": results})
    key = SoftAuthenticator(seeded_bytes(1), ORIGIN, flags=UP | UV)
    made = key.create(options, answered)

    assert options["publicKey"]["extensions"] == {"credProps": True}
    assert read_new_credential(made, begun(use), [ORIGIN]).passkey is is_passkey
