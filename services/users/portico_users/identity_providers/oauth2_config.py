from __future__ import annotations

import msgspec

from portico_users.identity_providers.presets.names import AuthMethod, PresetName


class ClaimPaths(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True
):
    """Paths in the userinfo document; dots select members (``data.id``). ``subject`` must be permanent."""

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
    """Endpoints and claim paths; ``emails_endpoint`` returns a list of ``email``, ``primary`` and ``verified``."""

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
        """Returns the issuer of identities; another endpoint or subject path is another issuer."""
        return f"{self.userinfo_endpoint}#{self.claims.subject}"

    @property
    def sealed_for(self) -> str:
        """Returns the binding of the client secret: its destination."""
        return self.token_endpoint

    def trusted_like(self, before: object) -> Oauth2Config:
        """Keeps the trust of the replaced configuration unless the source of addresses changes."""
        is_trusted = isinstance(before, Oauth2Config) and before.trusted_email and _sources(self) == _sources(before)
        return msgspec.structs.replace(self, trusted_email=is_trusted)


def _sources(config: Oauth2Config) -> tuple[str, ...]:
    claims = config.claims
    return (config.issuer, config.token_endpoint, config.emails_endpoint, claims.email, claims.email_verified)
