"""How Portico is a client of an OAuth 2 provider, which has no ID token and no discovery document."""

from __future__ import annotations

import msgspec

from portico_users.directory.identity_providers.presets.names import AuthMethod, PresetName


class ClaimPaths(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    """Where a userinfo document has what an account takes: names of members, with dots into objects (``data.id``).

    Attributes:
        subject: text or an integer, which never changes; empty for what the preset names.
    """

    subject: str = ""
    email: str = ""
    email_verified: str = ""
    user_name: str = ""
    first_name: str = ""
    last_name: str = ""
    display_name: str = ""
    picture: str = ""
    language: str = ""


class Oauth2Config(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag="oauth2"):
    """Its endpoints, and where its userinfo document has what.

    Attributes:
        emails_endpoint: answers a list of ``email``, ``primary`` and ``verified``; empty for none.
        trusted_email: as of `OidcConfig`; for these endpoints only.
    """

    authorization_endpoint: str = ""
    token_endpoint: str = ""
    userinfo_endpoint: str = ""
    emails_endpoint: str = ""
    client_id: str
    scopes: tuple[str, ...] = ()
    claims: ClaimPaths = ClaimPaths()
    preset: PresetName = PresetName.OAUTH2
    auth_method: AuthMethod = AuthMethod.AUTO
    trusted_email: bool = False

    @property
    def issuer(self) -> str:
        """Who states the identities: another endpoint, or another member as the subject, is another issuer."""
        return f"{self.userinfo_endpoint}#{self.claims.subject}"

    @property
    def sealed_for(self) -> str:
        """Where the client secret is sent."""
        return self.token_endpoint

    def trusted_like(self, before: object) -> Oauth2Config:
        """This configuration, as trusted as the one it replaces; others who state addresses are trusted with nothing."""
        is_trusted = isinstance(before, Oauth2Config) and before.trusted_email and _sources(self) == _sources(before)
        return msgspec.structs.replace(self, trusted_email=is_trusted)


def _sources(config: Oauth2Config) -> tuple[str, ...]:
    claims = config.claims
    return (config.issuer, config.token_endpoint, config.emails_endpoint, claims.email, claims.email_verified)
