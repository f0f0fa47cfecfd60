"""Intents: federated sign-ins on custom login pages (decision 0051).

The protocol steps are those of a federated sign-in, but the caller decides on the next step: nothing is
created, linked or updated here. An intent cannot create a session, nor a sign-in complete an intent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from portico_contracts.http import EXTERNAL_CALLBACK
from portico_contracts.users import (
    INTENT_STATE,
    BeginExternal,
    ExternalBegun,
    FinishExternal,
    VerifiedIdentity,
)
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import RandomBytes, b64url, fingerprint
from portico_oauth.pkce import challenge_of
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.commands.external_accounts import LinkedAccounts, refuse_stale
from portico_users.identity_providers.commands.sign_ins import CheckedProviders, is_provider_error
from portico_users.identity_providers.federation.intents import Intent, Intents
from portico_users.identity_providers.federation.offered import OfferedProviders
from portico_users.identity_providers.federation.upstream import UpstreamProviders
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.instance.instance import UNSET, MongoInstance
from portico_users.journal.command import Command
from portico_users.values.names import new_id
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import at

INTENT_NOT_FOUND = ErrorCode(
    "USER-985",
    Kind.NOT_FOUND,
    "Intent not found: it belongs to another caller, was already used, or has expired.",
    "Start another intent. Each works once, within 10 minutes, for the service user that started it.",
)
URL_NOT_REGISTERED = ErrorCode(
    "USER-986",
    Kind.INVALID_REQUEST,
    "This address is not registered for intents.",
    "Register exactly this address with SetIDPIntentSettings, or as intentUrls in a document of apply.",
)
NOT_BY_PASSWORD = ErrorCode(
    "USER-987",
    Kind.FAILED_PRECONDITION,
    "This identity provider does not accept a user name and password here.",
    "Start with urls, and send the browser to the authUrl.",
)
ONLY_BY_PASSWORD = ErrorCode(
    "USER-988",
    Kind.FAILED_PRECONDITION,
    "The browser cannot be redirected to this identity provider.",
    "Start with ldap, which contains the user name and password.",
)
WRONG_PASSWORD = ErrorCode(
    "USER-989", Kind.INVALID_GRANT, "The user name or password is wrong.", "Ask the end user for them again."
)

SECRET_BYTES: Final = 32
"""Random bytes in state, nonce, PKCE verifier and token."""


@dataclass(frozen=True, slots=True)
class IntentBegun:
    id: str
    url: str
    resource_owner: str


@dataclass(frozen=True, slots=True)
class RetrievedIntent:
    """The verified identity; the user is empty if the identity is not linked."""

    identity: VerifiedIdentity = field(repr=False)
    user_id: str
    resource_owner: str


@dataclass(frozen=True, slots=True)
class RegisteredUrls(Command):
    instances: MongoInstance

    async def require(self, **urls: str) -> None:
        registered = (await self.instances.find_settings() or UNSET).intent_urls
        for place, url in urls.items():
            if url not in registered:
                raise at(place, URL_NOT_REGISTERED.error())


@dataclass(frozen=True, slots=True)
class BeginIntent(Command):
    urls: RegisteredUrls
    providers: CheckedProviders
    offered: OfferedProviders
    upstream: UpstreamProviders
    intents: Intents
    random: RandomBytes
    issuer: Issuer

    async def __call__(
        self, idp_id: str, org_id: str, success_url: str, failure_url: str, *, actor: str
    ) -> IntentBegun:
        """Starts the intent; ``org_id`` selects the login policy for an instance provider."""
        await self.urls.require(**{"urls.successUrl": success_url, "urls.failureUrl": failure_url})
        found = await self.offered.find_any(idp_id)
        org_id = org_id if found.of_instance else found.org_id
        async with self.providers.use(found.id, org_id) as idp:
            if isinstance(idp.config, LdapConfig):
                raise ONLY_BY_PASSWORD.error()
            state, nonce, verifier = INTENT_STATE + self._secret(), self._secret(), self._secret()
            # There is no browser to bind to: a used JWT is refused in every later intent.
            question = BeginExternal(
                provider_id=idp.id,
                org_id=org_id,
                redirect_uri=callback_of(self.issuer, idp),
                state=state,
                nonce=nonce,
                code_challenge=challenge_of(verifier),
                auth_request=state,
                user_agent=self._secret(),
            )
            begun = await self.upstream.begin(idp, question)
        intent = self._intent(question, begun, verifier, success_url, failure_url, actor)
        await self.intents.create(intent)
        return IntentBegun(intent.id, begun.url, idp.org_id)

    def _intent(
        self, ask: BeginExternal, begun: ExternalBegun, verifier: str, success_url: str, failure_url: str, actor: str
    ) -> Intent:
        return Intent(
            id=new_id(self.random),
            state_hash=fingerprint(ask.state),
            idp_id=ask.provider_id,
            org_id=ask.org_id,
            actor=actor,
            success_url=success_url,
            failure_url=failure_url,
            nonce=ask.nonce,
            verifier=verifier,
            user_agent=ask.user_agent,
            kind=begun.provider.kind,
            jwt_header=begun.jwt_header,
            form_post=begun.form_post,
        )

    def _secret(self) -> str:
        return b64url(self.random(SECRET_BYTES))


@dataclass(frozen=True, slots=True)
class RetrieveIntent(Command):
    """Returns the verified identity to the caller who started the intent, once."""

    providers: CheckedProviders
    linked: LinkedAccounts
    intents: Intents
    clock: Clock

    async def __call__(self, id: str, token: str, *, actor: str) -> RetrievedIntent:
        """Returns the identity and the user now linked to it; errors do not use up the intent."""
        intent = await self.intents.find_verified(id, token, actor)
        if intent is None or intent.identity is None:
            raise INTENT_NOT_FOUND.error()
        async with self.providers.use(intent.idp_id, intent.org_id) as idp:
            refuse_stale(idp, intent.identity, self.clock.now())
            account = await self.linked.find(idp, intent.org_id, intent.identity)
        # Redeem last: of concurrent requests with the token only one continues.
        if not await self.intents.redeem(id, token, actor):
            raise INTENT_NOT_FOUND.error()
        return RetrievedIntent(intent.identity, account.user.id if account else "", idp.org_id)


@dataclass(frozen=True, slots=True)
class FinishIntent(Command):
    urls: RegisteredUrls
    providers: CheckedProviders
    upstream: UpstreamProviders
    linked: LinkedAccounts
    intents: Intents
    random: RandomBytes
    issuer: Issuer

    async def __call__(self, state: str, provider_id: str, parameters: dict[str, str], jwt: str) -> str:
        """Returns the redirect: successUrl with the token, or failureUrl with the error of provider or account."""
        intent = await self._claim(state, provider_id)
        await self.urls.require(successUrl=intent.success_url, failureUrl=intent.failure_url)
        try:
            identity = await self._verify(intent, parameters, jwt)
        except ServiceError as error:
            if not is_provider_error(error):
                raise
            await self.intents.drop(intent.id)
            return with_parameters(intent.failure_url, id=intent.id, error=error.id, error_description=error.text)
        token = b64url(self.random(SECRET_BYTES))
        await self.intents.verify(intent.id, identity, token)
        return with_parameters(intent.success_url, id=intent.id, token=token)

    async def _claim(self, state: str, provider_id: str) -> Intent:
        intent = await self.intents.claim(state, provider_id)
        if intent is None:
            raise INTENT_NOT_FOUND.error()
        return intent

    async def _verify(self, intent: Intent, parameters: dict[str, str], jwt: str) -> VerifiedIdentity:
        async with self.providers.use(intent.idp_id, intent.org_id) as idp:
            question = question_of(intent, callback_of(self.issuer, idp), parameters, jwt)
            identity = await self.upstream.finish(idp, question)
            # Only check that the account may be used; retrieval looks up the user.
            await self.linked.find(idp, intent.org_id, identity)
            return identity


def question_of(intent: Intent, callback: str, parameters: dict[str, str], jwt: str) -> FinishExternal:
    """What a provider sent to the callback, with what was kept for it."""
    return FinishExternal(
        provider_id=intent.idp_id,
        org_id=intent.org_id,
        redirect_uri=callback,
        nonce=intent.nonce,
        code_verifier=intent.verifier,
        parameters=parameters,
        jwt=jwt,
        user_agent=intent.user_agent,
    )


def callback_of(issuer: str, idp: Idp) -> str:
    """Returns the provider's callback address, shared by sign-ins and intents (RFC 9700 section 4.4)."""
    return issuer + EXTERNAL_CALLBACK.format(id=idp.id)


def with_parameters(url: str, **parameters: str) -> str:
    return f"{url}?{urlencode(parameters)}"
