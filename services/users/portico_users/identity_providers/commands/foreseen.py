from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from portico_contracts.users import VerifiedIdentity
from portico_oauth.errors import Kind, ServiceError

from portico_users.accounts.account import Account
from portico_users.identity_providers.commands.external_accounts import LinkedAccounts
from portico_users.identity_providers.commands.provider_redirect import ChooseProviderRedirect
from portico_users.identity_providers.idp import Idp
from portico_users.journal.command import Command


class Effect(StrEnum):
    """What a sign-in with the identity would do, as in `ChooseProviderRedirect`."""

    SIGNS_IN = "signs in"
    PROVES = "proves an account"
    CREATES = "creates an account"
    ASKS = "asks for details"
    NO_ACCOUNT = "no account"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Foreseen:
    """`missing` are fields that the user has to fill in; `refusal` is set with `REFUSED`."""

    effect: Effect
    account: Account | None = None
    missing: tuple[str, ...] = ()
    refusal: ServiceError | None = None


@dataclass(frozen=True, slots=True)
class ForeseeSignIn(Command):
    """The effect of a sign-in, which changes nothing; also for a provider that is not offered."""

    linked: LinkedAccounts
    choose: ChooseProviderRedirect

    async def __call__(self, idp: Idp, org_id: str, identity: VerifiedIdentity) -> Foreseen:
        try:
            return await self._foresee(idp, org_id, identity)
        except ServiceError as error:
            if error.kind is Kind.UNAVAILABLE:
                raise
            return Foreseen(Effect.REFUSED, refusal=error)

    async def _foresee(self, idp: Idp, org_id: str, identity: VerifiedIdentity) -> Foreseen:
        if account := await self.linked.find_held(org_id, identity):
            return Foreseen(Effect.SIGNS_IN, account)
        if candidate := await self.choose.find_candidate(idp, org_id, identity.profile):
            return Foreseen(Effect.PROVES, candidate)
        if not idp.options.creation:
            return Foreseen(Effect.NO_ACCOUNT)
        home = await self.choose.create_human.home_of(idp, org_id)
        missing = await self.choose.missing(home, identity.profile)
        automatic = idp.options.auto_creation and not missing
        return Foreseen(Effect.CREATES if automatic else Effect.ASKS, missing=missing)
