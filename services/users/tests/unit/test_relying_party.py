"""The domain of passkeys, and the pages on which they work (decision 0119)."""

from __future__ import annotations

import pytest
from portico_fakes.randomness import seeded_bytes
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import b64url
from portico_runtime.settings.sections.passkey import PasskeySection
from portico_users.credentials.webauthn.ceremonies import Ceremony, Use
from portico_users.credentials.webauthn.new_credential import read_new_credential
from portico_users.credentials.webauthn.options import RelyingParty, UserEntity, creation_options
from portico_users.settings import Settings
from portico_users.values.operator_settings import Issuer
from pydantic import ValidationError

ISSUER = "https://login.example.com"
OWN_PAGES = "https://pages.example.net:8443"


def party(**settings: str) -> RelyingParty:
    return RelyingParty(Issuer(ISSUER), PasskeySection(**settings))


def test_passkeys_are_for_the_host_of_the_issuer_by_default() -> None:
    assert (party().id, party().origins) == ("login.example.com", [ISSUER])
    assert party().id_for("") == "login.example.com"
    assert party().id_for("example.com") == "example.com"


def test_setting_names_a_parent_domain() -> None:
    """Passkeys then outlive a move of the sign-in pages within the domain."""
    related = party(passkey_domain="example.com", passkey_origins=OWN_PAGES)

    assert related.origins == [ISSUER, OWN_PAGES]
    assert related.id_for("") == related.id_for("pages.example.net") == "example.com"


@pytest.mark.parametrize("domain", ["com", "other.example.com", "ample.com", "pages.example.net"])
def test_domain_without_the_issuer_is_refused(domain: str) -> None:
    with pytest.raises(ServiceError) as refused:
        party().id_for(domain)

    assert refused.value.id == "USER-505"


@pytest.mark.parametrize("domain", ["example.net", "com", "Example.com", "https://example.com", "example.com:443", " "])
def test_wrong_domain_of_passkeys_is_an_error_of_the_settings(domain: str) -> None:
    with pytest.raises(ValidationError):
        Settings(issuer=ISSUER, passkey_domain=domain)


@pytest.mark.parametrize(
    "origin", ["http://example.net", "https://example.net/login", "example.net", "https://a@b.example"]
)
def test_wrong_origin_is_an_error_of_the_settings(origin: str) -> None:
    with pytest.raises(ValidationError):
        Settings(issuer=ISSUER, passkey_origins=f"{OWN_PAGES},{origin}")


@pytest.mark.parametrize(("origin", "taken"), [(ISSUER, True), (OWN_PAGES, True), ("https://evil.example", False)])
def test_key_works_on_pages_of_related_origins_only(origin: str, taken: bool) -> None:
    """The browser signs the origin of the page (LG-17)."""
    related = party(passkey_origins=OWN_PAGES)
    ceremony = Ceremony(
        id="k1",
        use=Use.PASSKEY,
        user_id="u1",
        begun_by="u1",
        challenge=b64url(bytes(32)),
        rp_id=related.id,
        user_verified=True,
        expires_at=0,
    )
    key = SoftAuthenticator(seeded_bytes(1), origin, flags=UP | UV)
    made = key.create(creation_options(ceremony, UserEntity("ada", "Ada"), ()))
    try:
        read_new_credential(made, ceremony, related.origins)
        read = True
    except ServiceError:
        read = False

    assert read is taken
