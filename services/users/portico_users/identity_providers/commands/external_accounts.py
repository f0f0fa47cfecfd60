"""Links external identities to accounts and creates accounts, never by email address or user name alone (IP-06)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import msgspec
from portico_contracts import apply
from portico_contracts.users import CreateExternal, FinishExternal, LinkExternal, Profile, VerifiedIdentity, VerifyLdap
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.errors import ServiceError
from portico_runtime.process.clock import Clock

from portico_users.accounts.account import Account, active_account
from portico_users.accounts.login_names import Held
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.end_user import EndUser, GivenRole, ProofKind, with_link_roles
from portico_users.end_users.idp_links import LINK_TAKEN, IdpLink
from portico_users.end_users.new_end_user import NewEndUser
from portico_users.grants.role_grants import RoleGrant
from portico_users.identity_providers.commands.group_roles import GroupRoles
from portico_users.identity_providers.endings import ENDINGS, Ending, endings_with
from portico_users.identity_providers.federation.errors import (
    ACCOUNT_INACTIVE,
    CREATION_FORBIDDEN,
    IDENTITY_EXPIRED,
    LINKING_FORBIDDEN,
    NOT_OFFERED,
    OTHER_ISSUER,
    OTHER_ORGANIZATION,
    PROVIDER_CHANGED,
)
from portico_users.identity_providers.federation.offered import OfferedProviders, is_offered_by
from portico_users.identity_providers.federation.upstream import vouches_for_email
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.issuers import is_same_issuer
from portico_users.identity_providers.store import IDPS
from portico_users.instance.instance import INSTANCES
from portico_users.journal.command import Command, Commit, repeat_overtaken
from portico_users.organizations.org import Org
from portico_users.policies.login_policies import ORG_UNKNOWN
from portico_users.values.names import INSTANCE
from portico_users.values.problems import NAME_TAKEN
from portico_users.values.records import version_of

IDENTITY_SECONDS: Final = 600.0
"""How long a verified identity can be linked or registered."""


@dataclass(frozen=True, slots=True)
class LinkedAccounts(Command):
    accounts: MongoAccounts
    offered: OfferedProviders

    async def find(self, idp: Idp, org_id: str, identity: VerifiedIdentity) -> Account | None:
        """Returns the active account linked to the identity, or None; an empty ``org_id`` allows any organization.

        Raises USER-972 if the provider changed or was removed since it was read, for example while it responded.
        """
        account, _ = await self.find_with_endings(idp, org_id, identity)
        return account

    async def find_with_endings(
        self, idp: Idp, org_id: str, identity: VerifiedIdentity
    ) -> tuple[Account | None, list[Ending]]:
        """Like `find`, with what the provider no longer gives, read together."""
        wanted = (INSTANCES, INSTANCE), (IDPS, idp.id)
        others = endings_with(idp.id)
        held, found = await self.accounts.find_linked_beside(link_of(identity).key, *wanted, others=others)
        current = found.of(IDPS)
        if current is None or version_of(current) != version_of(idp):
            raise PROVIDER_CHANGED.error(idp=idp.id)
        account = _usable(held, org_id, identity)
        if account and not is_offered_by(current, account.org, found.of(INSTANCES)):
            raise NOT_OFFERED.error(idp=idp.id, org=account.org.id)
        return account, [Ending.read(row) for row in found.rows_of(ENDINGS)]

    async def find_held(self, org_id: str, identity: VerifiedIdentity) -> Account | None:
        """Like `find`, also where the provider is not offered."""
        return _usable(await self.accounts.find_linked(link_of(identity).key), org_id, identity)


def _usable(held: Held | None, org_id: str, identity: VerifiedIdentity) -> Account | None:
    if held is None:
        return None
    account = active_account(*held)
    if account is None or not isinstance(account.user, EndUser):
        raise ACCOUNT_INACTIVE.error(user=held[0].id)
    if org_id and account.org.id != org_id:
        raise OTHER_ORGANIZATION.error(user=account.user.id)
    (link,) = (one for one in account.user.idp_links if one.key == link_of(identity).key)
    if link.issuer and not is_same_issuer(link.issuer, identity.issuer):
        raise OTHER_ISSUER.error(user=account.user.id)
    return account


class Audience(NamedTuple):
    """Whom a sign-in is for.

    `home_id` has the new accounts of a provider of the instance, empty for the default organization; accounts of other
    organizations than `only` are refused, empty for none.
    """

    home_id: str
    only: str


def audience_of(ask: FinishExternal | VerifyLdap | CreateExternal) -> Audience:
    only = only_of(ask)
    return Audience(only or (ask.org_id if ask.home_id is None else ask.home_id), only)


def only_of(ask: FinishExternal | VerifyLdap | LinkExternal | CreateExternal) -> str:
    return "" if ask.any_organization else ask.org_id


@dataclass(frozen=True, slots=True)
class LinkIdentity(Command):
    """Links an identity to a user who has authenticated for the account."""

    linked: LinkedAccounts
    accounts: MongoAccounts
    offered: OfferedProviders
    group_roles: GroupRoles
    clock: Clock
    commit: Commit

    async def __call__(self, idp: Idp, org_id: str, identity: VerifiedIdentity, user_id: str) -> Account:
        """Links the identity. Idempotent."""
        refuse_stale(idp, identity, self.clock.now())
        # Another change is often the same request, sent twice.
        return await repeat_overtaken(lambda: self._link(idp, org_id, identity, user_id))

    async def _link(self, idp: Idp, org_id: str, identity: VerifiedIdentity, user_id: str) -> Account:
        account = await self.accounts.find_active_whole(user_id)
        if account is None or not isinstance(account.user, EndUser):
            raise ACCOUNT_INACTIVE.error(user=user_id)
        if org_id and account.org.id != org_id:
            raise OTHER_ORGANIZATION.error(user=account.user.id)
        human, link = account.user, msgspec.structs.replace(link_of(identity), given_by=idp.sequence)
        if link.key in {one.key for one in human.idp_links}:
            held = await self.linked.find(idp, org_id, identity) or account
            return await self.group_roles.follow(idp, held, identity, link.key)
        if not idp.options.linking or not await self.offered.is_offered(idp, account.org):
            raise LINKING_FORBIDDEN.error(idp=idp.id, org=account.org.id)
        linked = msgspec.structs.replace(human, idp_links=(*human.idp_links, link))
        roles = await self.group_roles.wanted(idp, identity)
        entry = put_end_user(human, with_link_roles(linked, link.key, idp.org_id, roles))
        entry = replace(entry, side_writes=(self.offered.unchanged(idp, account.org.id),))
        changed = await self.commit(entry, actor=human.id)
        return await self.group_roles.follow(idp, Account(changed, account.org), identity, link.key)


@dataclass(frozen=True, slots=True)
class CreateExternalUser(Command):
    linked: LinkedAccounts
    offered: OfferedProviders
    create_human: CreateEndUser
    group_roles: GroupRoles
    clock: Clock

    async def __call__(self, idp: Idp, audience: Audience, identity: VerifiedIdentity, profile: Profile) -> Account:
        """Creates the account, or returns the one that an earlier or concurrent request created."""
        refuse_stale(idp, identity, self.clock.now())
        account = await self.linked.find(idp, audience.only, identity)
        if account is None:
            account = await self._create(idp, audience, identity, profile)
        # An earlier request may have ended before this.
        return await self.group_roles.follow(idp, account, identity, link_of(identity).key)

    async def _create(self, idp: Idp, audience: Audience, identity: VerifiedIdentity, profile: Profile) -> Account:
        org = await self.home_of(idp, audience.home_id)
        if not idp.options.creation or not await self.offered.is_offered(idp, org):
            raise CREATION_FORBIDDEN.error(idp=idp.id, org=org.id)
        roles = await self.group_roles.wanted(idp, identity)
        new = _with_roles(_new_end_user(idp, identity, profile), idp, roles)
        new = replace(new, side_writes=(self.offered.unchanged(idp, org.id),))
        try:
            created = await self.create_human(org, new, actor=idp.id)
        except ServiceError as error:
            if error.id not in (LINK_TAKEN.id, NAME_TAKEN.id):
                raise
            account = await self.linked.find(idp, audience.only, identity)
            if account is None:
                raise
            return account
        return Account(created.human, org)

    async def home_of(self, idp: Idp, home_id: str) -> Org:
        org = await self.offered.home_of(idp, home_id)
        if org is None:
            raise ORG_UNKNOWN.error(org_id=home_id)
        return org


def refuse_stale(idp: Idp, identity: VerifiedIdentity, now: float) -> None:
    """Requires an identity at most 10 minutes old, verified with the provider's current configuration."""
    if not -CLOCK_LEEWAY <= now - identity.verified_at <= IDENTITY_SECONDS:
        raise IDENTITY_EXPIRED.error(idp=idp.id)
    if identity.provider_id != idp.id or identity.version != version_of(idp):
        raise PROVIDER_CHANGED.error(idp=idp.id)


def scope_of(idp: Idp, org_id: str) -> str:
    """Returns the organization whose accounts may be offered; empty for any, only with instance providers."""
    return org_id if idp.org_id == INSTANCE else idp.org_id


def link_of(identity: VerifiedIdentity) -> IdpLink:
    shown = identity.profile.user_name or identity.profile.email or identity.subject
    return IdpLink(idp_id=identity.provider_id, user_id=identity.subject, user_name=shown, issuer=identity.issuer)


def _new_end_user(idp: Idp, identity: VerifiedIdentity, profile: Profile) -> NewEndUser:
    # Only the address asserted and verified by the provider counts as verified: Portico sent no code to it (0028).
    is_vouched = vouches_for_email(idp, identity.profile) and profile.email == identity.profile.email
    return NewEndUser(
        user_name=profile.user_name,
        profile=apply.Profile(
            first_name=profile.first_name,
            last_name=profile.last_name,
            display_name=profile.display_name,
            preferred_language=profile.language,
        ),
        email=profile.email,
        email_proof=ProofKind.ASSERTED if is_vouched else None,
        attributes=apply.Attributes(picture=identity.profile.picture) if identity.profile.picture else None,
        metadata=tuple((key, text.encode()) for key, text in identity.metadata.items()),
        idp_links=(link_of(identity),),
    )


def _with_roles(new: NewEndUser, idp: Idp, roles: frozenset[GivenRole]) -> NewEndUser:
    projects = sorted({project for project, _ in roles})
    grants = tuple(
        RoleGrant(
            project_id=project,
            org_id=idp.org_id,
            role_keys=tuple(sorted(key for place, key in roles if place == project)),
        )
        for project in projects
    )
    links = tuple(
        msgspec.structs.replace(link, granted=tuple(sorted(roles)), given_by=idp.sequence) for link in new.idp_links
    )
    return replace(new, grants=grants, idp_links=links)
