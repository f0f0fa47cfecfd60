from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import structlog
from portico_contracts.users import ExternalFinished, Profile, ProviderRedirect, VerifiedIdentity
from portico_oauth.errors import Kind, ServiceError

from portico_users.accounts.account import Account, active_account, as_user
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser, ProofKind, default_display_name, with_metadata
from portico_users.identity_providers.commands.external_accounts import (
    Audience,
    CreateExternalUser,
    LinkedAccounts,
    link_of,
    scope_of,
)
from portico_users.identity_providers.commands.group_roles import GroupRoles
from portico_users.identity_providers.endings import Ending
from portico_users.identity_providers.federation.errors import FEDERATION_ERRORS
from portico_users.identity_providers.federation.offered import OfferedProviders
from portico_users.identity_providers.federation.upstream import vouches_for_email
from portico_users.identity_providers.idp import AutoLinking, Idp
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import Org
from portico_users.values.names import canonical, email_key

log = structlog.get_logger("portico.federation")

_NEEDED = ("first_name", "email")


@dataclass(frozen=True, slots=True)
class ChooseProviderRedirect(Command):
    """Signs in linked users, else offers to link or create; a matching email address alone never signs in."""

    linked: LinkedAccounts
    accounts: MongoAccounts
    offered: OfferedProviders
    create_human: CreateExternalUser
    group_roles: GroupRoles
    commit: Commit

    async def __call__(self, idp: Idp, audience: Audience, identity: VerifiedIdentity) -> ExternalFinished:
        account, endings = await self.linked.find_with_endings(idp, audience.only, identity)
        if account:
            return await self._signed_in(idp, account, identity, endings)
        finished = await self._unlinked(idp, audience, identity)
        # A concurrent sign-in with the same identity may have created the conflicting account.
        if finished.onward is not ProviderRedirect.SIGNED_IN and (
            account := await self.linked.find(idp, audience.only, identity)
        ):
            return await self._signed_in(idp, account, identity)
        return finished

    async def _signed_in(
        self, idp: Idp, account: Account, identity: VerifiedIdentity, endings: Sequence[Ending] | None = None
    ) -> ExternalFinished:
        followed = await self.group_roles.follow(idp, account, identity, link_of(identity).key, endings)
        updated = await self._update(idp, followed, identity)
        return ExternalFinished(identity=identity, onward=ProviderRedirect.SIGNED_IN, user=as_user(updated))

    async def _unlinked(self, idp: Idp, audience: Audience, identity: VerifiedIdentity) -> ExternalFinished:
        options = idp.options
        if candidate := await self._candidate(idp, audience.only, identity.profile):
            return ExternalFinished(
                identity=identity, onward=ProviderRedirect.PROVE, user=as_user(candidate), may_create=options.creation
            )
        home = await self.create_human.home_of(idp, audience.home_id) if options.creation else None
        if home is None or not await self.offered.is_offered(idp, home):
            return ExternalFinished(identity=identity, onward=ProviderRedirect.NO_ACCOUNT, may_link=options.linking)
        missing = await self.missing(home, identity.profile)
        if options.auto_creation and not missing and (account := await self._created(idp, audience, identity)):
            return ExternalFinished(identity=identity, onward=ProviderRedirect.SIGNED_IN, user=as_user(account))
        return ExternalFinished(
            identity=identity, onward=ProviderRedirect.COMPLETE, may_link=options.linking, missing=missing
        )

    async def _candidate(self, idp: Idp, only: str, profile: Profile) -> Account | None:
        account = await self.find_candidate(idp, only, profile)
        return account if account and await self.offered.is_offered(idp, account.org) else None

    async def find_candidate(self, idp: Idp, only: str, profile: Profile) -> Account | None:
        """Returns an account to offer for linking; its owner has to authenticate."""
        if not idp.options.linking or idp.options.auto_linking is AutoLinking.NONE:
            return None
        by_email = idp.options.auto_linking is AutoLinking.EMAIL
        typed = profile.email if by_email else profile.user_name
        if not typed or (by_email and not vouches_for_email(idp, profile)):
            return None
        held = await self.accounts.find_end_user_typed(typed, scope_of(idp, only))
        account = active_account(*held) if held else None
        if account is None or not isinstance(account.user, EndUser):
            return None
        fits = _has_proven(account.user, typed) if by_email else canonical(account.user.user_name) == canonical(typed)
        return account if fits else None

    async def missing(self, home: Org, profile: Profile) -> tuple[str, ...]:
        """Returns the fields that the user has to fill in, including a user name that is already taken."""
        missing = tuple(name for name in _NEEDED if not getattr(profile, name))
        user_name = profile.user_name or profile.email
        if user_name and await self.accounts.is_taken(user_name, home.id):
            missing += ("user_name",)
        return missing

    async def _created(self, idp: Idp, audience: Audience, identity: VerifiedIdentity) -> Account | None:
        try:
            return await self.create_human(idp, audience, identity, identity.profile)
        except ServiceError as error:
            if error.id in FEDERATION_ERRORS or error.kind is Kind.UNAVAILABLE:
                raise
            log.info("account needs a form before creation", idp_id=idp.id, error_code=error.id)
            return None

    async def _update(self, idp: Idp, account: Account, identity: VerifiedIdentity) -> Account:
        """Updates names, picture, language and metadata; user name and addresses stay."""
        if not idp.options.auto_update or not isinstance(account.user, EndUser):
            return account
        found = await self.accounts.find_whole(account.user.id)
        human = found[0] if found else None
        if not isinstance(human, EndUser):
            return account
        after = _with_profile(human, identity.profile)
        values = {key: text.encode() for key, text in identity.metadata.items()}
        after = msgspec.structs.replace(
            after, metadata=with_metadata(after.metadata, values) if values else after.metadata
        )
        if after == human:
            return account
        try:
            updated = await self.commit(put_end_user(human, after), actor=idp.id)
            return Account(updated, account.org)
        except ServiceError as error:
            if error.kind is Kind.UNAVAILABLE:
                raise
            log.info("user not updated", idp_id=idp.id, error_code=error.id)
            return account


def _has_proven(human: EndUser, email: str) -> bool:
    proof = human.email_proof
    is_proven = human.email_verified and proof is not None and proof.kind is ProofKind.PROVEN
    return is_proven and email_key(human.email) == email_key(email)


def _with_profile(human: EndUser, profile: Profile) -> EndUser:
    first_name, last_name = profile.first_name or human.first_name, profile.last_name or human.last_name
    derived = human.display_name == default_display_name(human.first_name, human.last_name)
    display_name = default_display_name(first_name, last_name) if derived else human.display_name
    return msgspec.structs.replace(
        human,
        first_name=first_name,
        last_name=last_name,
        display_name=profile.display_name or display_name,
        preferred_language=profile.language or human.preferred_language,
        picture=profile.picture or human.picture,
    )
