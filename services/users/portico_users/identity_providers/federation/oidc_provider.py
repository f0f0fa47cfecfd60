"""OpenID Connect providers: code with PKCE and nonce, ID token, userinfo (OpenID Connect Core section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from portico_contracts.users import BeginExternal, ExternalBegun, FinishExternal, Profile, VerifiedIdentity
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.federation.claims import Seen, auth_time_of, member_at, read_claims, with_tables
from portico_users.identity_providers.federation.code_exchange import (
    CredentialSigner,
    StoredSecrets,
    authorization_url,
    code_in,
    exchange_code,
    require_issuer,
)
from portico_users.identity_providers.federation.errors import OTHER_SIGN_IN
from portico_users.identity_providers.federation.id_tokens import (
    ExpectedToken,
    answer_issuer,
    published_issuers,
    verify_id_token,
)
from portico_users.identity_providers.federation.provider_calls import ProviderClient, client_of, fetch_object
from portico_users.identity_providers.federation.provider_metadata import Discovery
from portico_users.identity_providers.federation.quirks import (
    check_domain,
    forwarded,
    further_parameters,
    has_quirk,
    identified_by,
    scopes_of,
    stated_profile,
)
from portico_users.identity_providers.federation.verification_keys import KeySets
from portico_users.identity_providers.idp import Idp, Mapping, OidcConfig, as_offered
from portico_users.identity_providers.issuers import has_tenants
from portico_users.identity_providers.presets.preset import PRESETS, Quirk
from portico_users.values.records import version_of

_WANTED: Final = ("given_name", "family_name", "email")
_EMAIL: Final = ("email", "email_verified")


@dataclass(frozen=True, slots=True)
class OidcProvider:
    client: ProviderClient
    discovery: Discovery
    key_sets: KeySets
    secrets: StoredSecrets
    signer: CredentialSigner
    clock: Clock

    async def begin(self, idp: Idp, config: OidcConfig, ask: BeginExternal) -> ExternalBegun:
        metadata = await self.discovery.find(idp.id, config.issuer, published_issuers(config))
        further = further_parameters(config, ask)
        ask = forwarded(config, ask)
        url = authorization_url(metadata.authorization_endpoint, config.client_id, scopes_of(config), ask, further)
        return ExternalBegun(url=url, provider=as_offered(idp), form_post=has_quirk(config, Quirk.FORM_POST))

    async def finish(self, idp: Idp, config: OidcConfig, ask: FinishExternal, seen: Seen) -> VerifiedIdentity:
        metadata = await self.discovery.find(idp.id, config.issuer, published_issuers(config))
        code = code_in(ask.parameters, answer_issuer(config), sends_issuer=metadata.sends_issuer)
        methods = PRESETS[config.preset].auth_methods or metadata.auth_methods
        credentials = self.signer.credentials(config, self.secrets.of(idp), metadata.token_endpoint, methods)
        pkce = not has_quirk(config, Quirk.NO_PKCE)
        client = client_of(idp, self.client)
        tokens = await exchange_code(client, metadata.token_endpoint, credentials, code, ask, pkce=pkce)
        place, now = (idp.id, metadata.jwks_uri), self.clock.now()
        claims = await verify_id_token(tokens, ExpectedToken(config, ask.nonce), self.key_sets, place, now)
        seen["id_token"] = claims
        check_domain(config, claims)
        # Before userinfo is joined, which is not signed.
        issuer, auth_time, amr = str(claims["iss"]), auth_time_of(claims, now), claims.get("amr")
        if metadata.sends_issuer:  # of a provider that tenants share, it is known only here
            require_issuer(ask.parameters, issuer)
        wanted = (*_WANTED, *read_claims(idp.tables))
        is_whole = all(member_at(claims, path) is not None for path in wanted)
        if metadata.userinfo_endpoint and not has_tenants(config) and not is_whole:
            seen["userinfo"] = await _userinfo(client, metadata.userinfo_endpoint, tokens, claims)
            claims = _joined(claims, seen["userinfo"])
        identity = VerifiedIdentity(
            provider_id=idp.id,
            issuer=issuer,
            subject=identified_by(config, claims),
            profile=_mapped(stated_profile(config, claims, ask.parameters), config),
            version=version_of(idp),
            verified_at=int(now),
            auth_time=auth_time,
        )
        return with_tables(identity, idp.tables, claims, amr=amr)


async def _userinfo(
    client: ProviderClient, endpoint: str, tokens: dict[str, object], claims: dict[str, object]
) -> dict[str, object]:
    """Returns the claims of the same subject (OpenID Connect Core section 5.3.2); empty without an access token."""
    access_token = tokens.get("access_token")
    if not isinstance(access_token, str) or not access_token.isascii() or not access_token.isprintable():
        return {}
    found = await fetch_object(client, endpoint, {"Authorization": f"Bearer {access_token}"})
    if found.get("sub") != claims["sub"]:
        raise OTHER_SIGN_IN.error(claim="sub of userinfo")
    return found


def _joined(claims: dict[str, object], userinfo: dict[str, object]) -> dict[str, object]:
    """Merges the claims; the signed token takes precedence, and an address keeps the verified flag of its source."""
    source = claims if "email" in claims else userinfo
    others = {name: value for name, value in {**userinfo, **claims}.items() if name not in _EMAIL}
    return others | {name: source[name] for name in _EMAIL if name in source}


def _mapped(profile: Profile, config: OidcConfig) -> Profile:
    if config.username_mapping is Mapping.EMAIL:
        profile = msgspec.structs.replace(profile, user_name=profile.email)
    match config.display_name_mapping:
        case Mapping.EMAIL:
            return msgspec.structs.replace(profile, display_name=profile.email)
        case Mapping.PREFERRED_USERNAME:
            return msgspec.structs.replace(profile, display_name=profile.user_name)
        case _:
            return profile
