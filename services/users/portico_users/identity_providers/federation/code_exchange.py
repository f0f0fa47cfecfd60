"""Sends the browser for a code, and exchanges it at the token endpoint (RFC 6749 §4.1, RFC 7636), authenticated as a client."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote_plus, urlencode, urlsplit, urlunsplit

from portico_contracts.users import BeginExternal, FinishExternal
from portico_oauth.errors import INVALID_INPUT, ServiceError
from portico_oauth.jose import SigningKey
from portico_oauth.master_keys import UnsealingFailed
from portico_oauth.opaque import RandomBytes, b64url
from portico_oauth.pkce import is_challenge, is_verifier
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.federation.errors import OTHER_PROVIDER, PROVIDER_REFUSED, UNREADABLE_ANSWER
from portico_users.identity_providers.federation.provider_calls import (
    NOT_NOW,
    ProviderClient,
    not_reached,
    object_of,
    read_object,
)
from portico_users.identity_providers.idp import Idp, OidcConfig
from portico_users.identity_providers.presets.names import AuthMethod
from portico_users.identity_providers.secrets import UNREADABLE_SECRET, SecretSealer
from portico_users.identity_providers.signing_keys import read_signing_key, signs_secret

_ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

ASSERTION_SECONDS: Final = 60
SECRET_SECONDS: Final = 300
"""Apple allows up to six months; a secret for a single request needs only minutes."""


@dataclass(frozen=True, slots=True)
class ProviderCredentials:
    """Client authentication for one request; empty ``methods`` mean ``client_secret_basic``."""

    client_id: str
    secret: str = field(default="", repr=False)
    methods: Sequence[str] = ()
    method: AuthMethod = AuthMethod.AUTO
    assertion: str = field(default="", repr=False)

    def add_to(self, fields: dict[str, str]) -> dict[str, str]:
        """Adds form fields in place and returns additional headers."""
        method = self._method()
        if method is AuthMethod.CLIENT_SECRET_BASIC:
            pair = f"{quote_plus(self.client_id)}:{quote_plus(self.secret)}"
            return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
        fields["client_id"] = self.client_id
        if method is AuthMethod.CLIENT_SECRET_POST:
            fields["client_secret"] = self.secret
        if method is AuthMethod.PRIVATE_KEY_JWT:
            fields |= {"client_assertion_type": _ASSERTION_TYPE, "client_assertion": self.assertion}
        return {}

    def _method(self) -> AuthMethod:
        if self.method is not AuthMethod.AUTO:
            return self.method
        if not self.secret:
            return AuthMethod.NONE
        basic, post = AuthMethod.CLIENT_SECRET_BASIC, AuthMethod.CLIENT_SECRET_POST
        return post if post in self.methods and basic not in self.methods else basic


@dataclass(frozen=True, slots=True)
class CredentialSigner:
    clock: Clock
    random: RandomBytes

    def credentials(
        self, config: OidcConfig, secret: str, endpoint: str, methods: Sequence[str]
    ) -> ProviderCredentials:
        method = config.auth_method
        if signs_secret(config):
            key = read_signing_key(secret, "ES256", kid=config.key_id)
            secret = self._sign(key, config.client_id, SECRET_SECONDS, iss=config.team_id, aud=config.issuer)
        elif method is AuthMethod.PRIVATE_KEY_JWT:
            key = read_signing_key(secret, kid=config.key_id)
            members = {"iss": config.client_id, "aud": endpoint, "jti": b64url(self.random(16))}
            assertion = self._sign(key, config.client_id, ASSERTION_SECONDS, **members)
            return ProviderCredentials(config.client_id, method=method, assertion=assertion)
        return ProviderCredentials(config.client_id, secret, methods, method)

    def _sign(self, key: SigningKey, client_id: str, seconds: int, **members: str) -> str:
        now = int(self.clock.now())
        claims = {**members, "sub": client_id, "iat": now, "exp": now + seconds}
        return key.sign(json.dumps(claims).encode())


@dataclass(frozen=True, slots=True)
class StoredSecrets:
    sealer: SecretSealer

    def of(self, idp: Idp) -> str:
        """Decrypts the secret; empty for none. Raises USER-690 if its master key is missing."""
        if not idp.sealed_secret:
            return ""
        try:
            return self.sealer.unseal(idp.sealed_secret, idp.id, idp.config.sealed_for)
        except UnsealingFailed as error:
            raise UNREADABLE_SECRET.error(idp=idp.id, cause=str(error)) from error


_MAX_CODE: Final = 8_192

NO_CHALLENGE: Final = {"code_challenge": "", "code_challenge_method": ""}
"""For a provider that refuses PKCE together with a client secret."""


def authorization_url(
    endpoint: str, client_id: str, scopes: Sequence[str], ask: BeginExternal, further: Mapping[str, str]
) -> str:
    """Returns the URL of the request; ``further`` replaces members, and empty ones are left out."""
    if not is_challenge(ask.code_challenge) or not ask.state or not ask.nonce or not ask.redirect_uri:
        raise INVALID_INPUT.error()
    members = {
        "client_id": client_id,
        "response_type": "code",
        "redirect_uri": ask.redirect_uri,
        "scope": " ".join(scopes),
        "state": ask.state,
        "code_challenge": ask.code_challenge,
        "code_challenge_method": "S256",
        "login_hint": ask.login_hint,
        **reauthentication_of(ask),
        **further,
    }
    parts = urlsplit(endpoint)
    sent = {name: value for name, value in members.items() if value}
    query = "&".join(filter(None, (parts.query, urlencode(sent))))
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))


def reauthentication_of(ask: BeginExternal) -> dict[str, str]:
    """Returns the parameters that forward the client's requirements (OpenID Connect Core section 3.1.2.1)."""
    prompt = {"prompt": ask.prompt} if ask.prompt else {}
    return prompt if ask.max_age is None else {**prompt, "max_age": str(ask.max_age)}


def code_in(parameters: Mapping[str, str], issuer: str, *, sends_issuer: bool) -> str:
    """Returns the code of a callback; checks its ``iss`` (RFC 9207 section 2.4) unless the issuer is not known yet."""
    if issuer and (sends_issuer or "iss" in parameters):
        require_issuer(parameters, issuer)
    if parameters.get("error"):
        raise _refused_by(parameters)
    code = parameters.get("code", "")
    if not 0 < len(code) <= _MAX_CODE:
        raise UNREADABLE_ANSWER.error(cause="no code")
    return code


def require_issuer(parameters: Mapping[str, str], issuer: str) -> None:
    if parameters.get("iss") != issuer:
        raise OTHER_PROVIDER.error(iss=parameters.get("iss", "")[:200])


def _refused_by(answer: Mapping[str, object]) -> ServiceError:
    """The error response of the provider (RFC 6749 sections 4.1.2.1 and 5.2); Facebook's error is an object."""
    stated = answer.get("error")
    if isinstance(stated, dict):
        answer = {"error": stated.get("type"), "error_description": stated.get("message")}
    cause, description = str(answer.get("error"))[:200], str(answer.get("error_description") or "")[:500]
    if not description:
        return PROVIDER_REFUSED.error(cause=cause)
    return PROVIDER_REFUSED.error(cause=cause, description=description)


async def exchange_code(
    client: ProviderClient,
    endpoint: str,
    credentials: ProviderCredentials,
    code: str,
    ask: FinishExternal,
    *,
    pkce: bool = True,
) -> dict[str, object]:
    if not is_verifier(ask.code_verifier) or not ask.redirect_uri:
        raise INVALID_INPUT.error()
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": ask.redirect_uri,
        **({"code_verifier": ask.code_verifier} if pkce else {}),
    }
    headers = credentials.add_to(fields)
    try:
        answer = await client.exchange(endpoint, fields, headers)
    except OutboundError as error:
        raise not_reached(error, endpoint) from error
    if 400 <= answer.status < 500 and answer.status not in NOT_NOW:
        raise _refused_by(read_object(answer.body, endpoint))
    found = object_of(answer, endpoint)
    if "error" in found:  # with status 200, which some providers answer
        raise _refused_by(found)
    return found
