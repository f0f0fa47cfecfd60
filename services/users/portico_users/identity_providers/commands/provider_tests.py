"""Test sign-ins: an administrator signs in with a provider, and sees its claims and their effect.

The protocol steps are those of a sign-in, but nothing is created, linked or updated, and the provider does not have to
be active or offered. The callback gives a token to the browser that signed in. Only the administrator who started the
test can redeem it, so neither can see the claims of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec
from portico_contracts.http import CONSOLE_PROVIDER_TEST
from portico_contracts.users import (
    INTENT_STATE,
    BeginExternal,
    ProviderKind,
    VerifiedIdentity,
    VerifyLdap,
)
from portico_oauth.errors import ERROR_CODES, ErrorCode, Kind, ServiceError
from portico_oauth.opaque import RandomBytes, b64url, fingerprint
from portico_oauth.pkce import challenge_of

from portico_users.identity_providers.commands.idp_intents import (
    INTENT_NOT_FOUND,
    NOT_BY_PASSWORD,
    ONLY_BY_PASSWORD,
    SECRET_BYTES,
    WRONG_PASSWORD,
    callback_of,
    question_of,
    with_parameters,
)
from portico_users.identity_providers.commands.sign_ins import LdapPasswords, is_provider_error
from portico_users.identity_providers.federation.claims import Seen
from portico_users.identity_providers.federation.intents import Intent, Intents, Phase
from portico_users.identity_providers.federation.upstream import UpstreamProviders
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.identity_providers.store import MongoIdps
from portico_users.journal.command import Command
from portico_users.values.names import new_id
from portico_users.values.operator_settings import Issuer
from portico_users.values.records import version_of

TEST_NOT_FOUND = ErrorCode(
    "USER-992",
    Kind.NOT_FOUND,
    "Test sign-in not found: another user started it, its result was already shown, or it has expired.",
    "Start another test. Its result is shown once, within 10 minutes, to the user who started it.",
)

MAX_VALUE: Final = 2_000
"""Characters of a claim; the rest is omitted."""

MAX_CLAIMS: Final = 200


class TestFailure(msgspec.Struct, frozen=True, kw_only=True):
    """`cause` and `description` are the provider's error response, or what came from `url`, an address that was called."""

    id: str
    text: str
    fix: str = ""
    cause: str = ""
    description: str = ""
    url: str = ""


class TestOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """`claims` are names and values as text, by source; `version` is that of the provider which was tested."""

    claims: dict[str, dict[str, str]] = {}
    identity: VerifiedIdentity | None = None
    failure: TestFailure | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class TestBegun:
    """`url` is where the browser goes; `token` is set instead if the outcome is already known."""

    id: str
    url: str = ""
    token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class BeginTest(Command):
    upstream: UpstreamProviders
    passwords: LdapPasswords
    intents: Intents
    random: RandomBytes
    issuer: Issuer

    async def __call__(self, idp: Idp, *, actor: str) -> TestBegun:
        if isinstance(idp.config, LdapConfig):
            raise ONLY_BY_PASSWORD.error()
        state, nonce, verifier, user_agent = (b64url(self.random(SECRET_BYTES)) for _ in range(4))
        question = BeginExternal(
            provider_id=idp.id,
            org_id=_org_of(idp),
            redirect_uri=callback_of(self.issuer, idp),
            state=INTENT_STATE + state,
            nonce=nonce,
            code_challenge=challenge_of(verifier),
            auth_request=INTENT_STATE + state,
            user_agent=user_agent,
        )
        try:
            begun = await self.upstream.begin(idp, question)
        except ServiceError as error:
            return await self._concluded(idp, _failed(error, {}), kind=ProviderKind.CODE, actor=actor)
        intent = Intent(
            id=new_id(self.random),
            state_hash=fingerprint(question.state),
            idp_id=idp.id,
            org_id=question.org_id,
            actor=actor,
            kind=begun.provider.kind,
            nonce=nonce,
            verifier=verifier,
            user_agent=user_agent,
            jwt_header=begun.jwt_header,
            form_post=begun.form_post,
            is_test=True,
        )
        await self.intents.create(intent)
        return TestBegun(intent.id, begun.url)

    async def by_password(self, idp: Idp, user_name: str, password: str, *, actor: str) -> TestBegun:
        """Counts a wrong password like a sign-in does."""
        if not isinstance(idp.config, LdapConfig):
            raise NOT_BY_PASSWORD.error()
        seen: Seen = {}
        ask = VerifyLdap(provider_id=idp.id, org_id=_org_of(idp), login_name=user_name, password=password)
        try:
            identity = await self.passwords.verify(idp, ask, seen)
        except ServiceError as error:
            outcome = _failed(error, seen)
        else:
            failure = None if identity else _failure_of(WRONG_PASSWORD.error())
            outcome = TestOutcome(claims=_shown(seen), identity=identity, failure=failure)
        return await self._concluded(idp, outcome, kind=ProviderKind.LDAP, actor=actor)

    async def _concluded(self, idp: Idp, outcome: TestOutcome, *, kind: ProviderKind, actor: str) -> TestBegun:
        token = b64url(self.random(SECRET_BYTES))
        intent = Intent(
            id=new_id(self.random),
            # No browser is redirected, so the state is random and never disclosed.
            state_hash=fingerprint(b64url(self.random(SECRET_BYTES))),
            idp_id=idp.id,
            org_id=_org_of(idp),
            actor=actor,
            kind=kind,
            phase=Phase.TESTED,
            token_hash=fingerprint(token),
            is_test=True,
            outcome=_encoded(outcome, idp),
        )
        await self.intents.create(intent)
        return TestBegun(intent.id, token=token)


@dataclass(frozen=True, slots=True)
class FinishTest(Command):
    idps: MongoIdps
    upstream: UpstreamProviders
    intents: Intents
    random: RandomBytes
    issuer: Issuer

    async def __call__(self, state: str, provider_id: str, parameters: dict[str, str], jwt: str) -> str:
        """Returns the redirect to the console, with the token of the outcome."""
        intent = await self.intents.claim(state, provider_id)
        idp = await self.idps.find_usable(intent.idp_id, intent.org_id) if intent else None
        if intent is None or idp is None:
            raise INTENT_NOT_FOUND.error()
        ask = question_of(intent, callback_of(self.issuer, idp), parameters, jwt)
        seen: Seen = {}
        try:
            identity = await self.upstream.finish(idp, ask, seen)
            outcome = TestOutcome(claims=_shown(seen), identity=identity)
        except ServiceError as error:
            outcome = _failed(error, seen)
        token = b64url(self.random(SECRET_BYTES))
        await self.intents.conclude(intent.id, _encoded(outcome, idp), token)
        return with_parameters(self.issuer + CONSOLE_PROVIDER_TEST, id=intent.id, token=token)


@dataclass(frozen=True, slots=True)
class TakeTest(Command):
    intents: Intents

    async def __call__(self, idp: Idp, id: str, token: str, *, actor: str) -> TestOutcome:
        intent = await self.intents.take_test(id, token, idp.id, actor)
        if intent is None:
            raise TEST_NOT_FOUND.error()
        return msgspec.json.decode(intent.outcome, type=TestOutcome)


def _org_of(idp: Idp) -> str:
    return "" if idp.of_instance else idp.org_id


def _encoded(outcome: TestOutcome, idp: Idp) -> str:
    return msgspec.json.encode(msgspec.structs.replace(outcome, version=version_of(idp))).decode()


def _failed(error: ServiceError, seen: Seen) -> TestOutcome:
    if not is_provider_error(error):
        raise error
    return TestOutcome(claims=_shown(seen), failure=_failure_of(error))


def _failure_of(error: ServiceError) -> TestFailure:
    code = ERROR_CODES.get(error.id)
    # An issuer is one that does not match; a URL is an address of the configuration or the metadata.
    description = error.private.get("description") or error.private.get("issuer", "")
    return TestFailure(
        id=error.id,
        text=error.text,
        fix=code.fix if code else "",
        cause=str(error.private.get("cause", ""))[:500],
        description=str(description)[:500],
        url=str(error.private.get("url", ""))[:500],
    )


def _shown(seen: Seen) -> dict[str, dict[str, str]]:
    return {source: _texts(claims) for source, claims in seen.items()}


def _texts(claims: Mapping[str, object]) -> dict[str, str]:
    """Values that could be used elsewhere are hidden, because a provider may put tokens into userinfo."""
    found = {}
    for name, value in list(claims.items())[:MAX_CLAIMS]:
        is_secret = any(part in name.lower() for part in ("token", "secret", "password"))
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        found[name[:200]] = "…" if is_secret else text[:MAX_VALUE]
    return found
