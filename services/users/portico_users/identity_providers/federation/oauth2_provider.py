"""OAuth 2.0 providers: authorization code with PKCE, and a userinfo document as the source of identity (RFC 6749
section 4.1).

There is no signed token: state, PKCE and the client's own code exchange bind the response to the sign-in. The
access token is used only for the userinfo document and the email addresses, and is not stored.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts.users import BeginExternal, ExternalBegun, FinishExternal, VerifiedIdentity
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.federation.claims import MAX_SUBJECT, Seen, member_at, profile_of, with_tables
from portico_users.identity_providers.federation.code_exchange import (
    ProviderCredentials,
    StoredSecrets,
    authorization_url,
    code_in,
    exchange_code,
)
from portico_users.identity_providers.federation.errors import NO_SUBJECT, UNREADABLE_ANSWER
from portico_users.identity_providers.federation.provider_calls import (
    ProviderClient,
    client_of,
    fetch_list,
    fetch_object,
)
from portico_users.identity_providers.federation.quirks import has_quirk
from portico_users.identity_providers.idp import Idp, as_offered
from portico_users.identity_providers.oauth2_config import ClaimPaths, Oauth2Config
from portico_users.identity_providers.presets.preset import PRESETS, Quirk
from portico_users.values.names import is_name
from portico_users.values.records import version_of


@dataclass(frozen=True, slots=True)
class Oauth2Provider:
    client: ProviderClient
    secrets: StoredSecrets
    clock: Clock

    def begin(self, idp: Idp, config: Oauth2Config, ask: BeginExternal) -> ExternalBegun:
        scopes = config.scopes or PRESETS[config.preset].scopes
        if has_quirk(config, Quirk.NO_PROMPT):
            ask = msgspec.structs.replace(ask, prompt="")
        url = authorization_url(config.authorization_endpoint, config.client_id, scopes, ask, {})
        return ExternalBegun(url=url, provider=as_offered(idp))

    async def finish(self, idp: Idp, config: Oauth2Config, ask: FinishExternal, seen: Seen) -> VerifiedIdentity:
        code = code_in(ask.parameters, "", sends_issuer=False)
        methods = PRESETS[config.preset].auth_methods
        credentials = ProviderCredentials(config.client_id, self.secrets.of(idp), methods, config.auth_method)
        client = client_of(idp, self.client)
        tokens = await exchange_code(client, config.token_endpoint, credentials, code, ask)
        headers = {"Authorization": f"Bearer {_access_token(tokens)}"}
        found = await fetch_object(client, config.userinfo_endpoint, headers)
        seen["userinfo"] = found
        claims = _claims_of(found, config)
        if config.emails_endpoint:
            emails = await fetch_list(client, config.emails_endpoint, headers)
            primary = seen["emails"] = _primary(emails)
            claims = {**claims, **primary}
        identity = VerifiedIdentity(
            provider_id=idp.id,
            issuer=config.issuer,
            subject=_subject_of(found, config.claims),
            profile=profile_of(claims),
            version=version_of(idp),
            verified_at=int(self.clock.now()),
        )
        return with_tables(identity, idp.tables, found, amr=found.get("amr"))


def _access_token(tokens: dict[str, object]) -> str:
    token = tokens.get("access_token")
    if not isinstance(token, str) or not token or not token.isascii() or not token.isprintable() or " " in token:
        raise UNREADABLE_ANSWER.error(cause="no access token")
    return token


def _subject_of(found: dict[str, object], paths: ClaimPaths) -> str:
    """Accepts text, and integers as decimal digits: GitHub's ids are numbers."""
    subject = member_at(found, paths.subject)
    if isinstance(subject, int) and not isinstance(subject, bool):
        subject = str(subject)
    if not isinstance(subject, str) or len(subject) > MAX_SUBJECT or not is_name(subject):
        raise NO_SUBJECT.error(member=paths.subject)
    return subject


def _claims_of(found: dict[str, object], config: Oauth2Config) -> dict[str, object]:
    paths, preset = config.claims, PRESETS[config.preset]
    is_confirmed = has_quirk(config, Quirk.CONFIRMED_EMAIL) and paths.email == preset.claims.email
    return {
        "email": member_at(found, paths.email),
        "email_verified": is_confirmed or member_at(found, paths.email_verified),
        "preferred_username": member_at(found, paths.user_name),
        "given_name": member_at(found, paths.first_name),
        "family_name": member_at(found, paths.last_name),
        "name": member_at(found, paths.display_name),
        "picture": member_at(found, paths.picture),
        "locale": member_at(found, paths.language),
    }


def _primary(emails: list[object]) -> dict[str, object]:
    """Returns only the primary address, if verified; the one in the userinfo document is just for display."""
    for one in emails:
        if isinstance(one, dict) and one.get("primary") is True and one.get("verified") is True:
            return {"email": one.get("email"), "email_verified": True}
    return {"email": None, "email_verified": None}
