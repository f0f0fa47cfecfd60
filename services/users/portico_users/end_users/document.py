"""Plans humans, with their role grants, memberships and links to identity providers."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import UserState
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.document import MemberPlanner
from portico_users.documents.finding import StateEffects, Wanted, existing_of, wanted_state
from portico_users.documents.plan import Plan, PlannedOrg
from portico_users.documents.step import Subject, step_of
from portico_users.end_users.commands.change_end_user import ChangeEndUser, Contact, EndUserChange
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.end_user import EndUser, Metadata, ProofKind, with_link_roles, with_metadata
from portico_users.end_users.idp_links import LINK_TAKEN, IdpLink, IdpLinks
from portico_users.end_users.new_end_user import NewEndUser, PlannedEndUser
from portico_users.end_users.rules import INVALID_METADATA
from portico_users.grants.document import RoleGrantPlanner
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.document import GroupMemberPlanner
from portico_users.identity_providers.store import IDP_NOT_FOUND
from portico_users.organizations.org import Org
from portico_users.storage.schema import IdSpace
from portico_users.values.names import INSTANCE, canonical, is_id
from portico_users.values.problems import NAME_TAKEN, at, below
from portico_users.values.records import State

WantedLink = Sequence[document.IdpLink]


async def plan_links(plan: Plan, org: Org, before: IdpLinks, wanted: WantedLink | None, path: str) -> IdpLinks:
    if wanted is None:
        plan.linked.update(link.key for link in before)
        return before
    links: dict[str, IdpLink] = {}
    known = {link.key: link for link in before}
    for number, one in enumerate(wanted):
        place = f"{path}.idpLinks[{number}]"
        idp = await plan.find_idp((org.id, INSTANCE), one.idp)
        if idp is None:
            raise at(f"{place}.idp", IDP_NOT_FOUND.error())
        link = IdpLink(idp_id=idp.id, user_id=one.user_id, user_name=one.user_name)
        is_taken = link.key not in known and await _is_held(plan, link)
        if is_taken or link.key in links or link.key in plan.linked:
            raise at(place, LINK_TAKEN.error())
        # Documents have neither issuer nor groups; keep those a sign-in stored.
        links[link.key] = msgspec.structs.replace(known.get(link.key, link), user_name=link.user_name)
    kept = {} if plan.prune else {link.key: link for link in before}
    # Keep the order of existing links.
    order = {link.key: number for number, link in enumerate(before)}
    together = (kept | links).values()
    plan.linked.update(link.key for link in together)
    return tuple(sorted(together, key=lambda link: order.get(link.key, len(order))))


async def _is_held(plan: Plan, link: IdpLink) -> bool:
    """Reports whether a user whose change is not written before has the identity."""
    held = await plan.stores.accounts.find_linked(link.key)
    return held is not None and plan.leaves(held[0])


def _grants_with(human: EndUser | None, links: IdpLinks) -> tuple[RoleGrant, ...]:
    """The grants without the roles that links gave which the document removes."""
    if human is None:
        return ()
    for key in {link.key for link in human.idp_links} - {link.key for link in links}:
        human = with_link_roles(human, key, human.org_id, frozenset())
    return human.grants


TWO_PASSWORDS = ErrorCode(
    "USER-832",
    Kind.INVALID_REQUEST,
    "Both a password and a password hash are set.",
    "Set either the password or its hash.",
)


FOUND_AT_ONCE: Final = 200
"""Users of a document who are looked for together, by one query of each kind."""


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The users with an id or a name of some users of a document, and the ids that are not free."""

    by_id: Mapping[str, AnyUser]
    by_name: Mapping[str, AnyUser]
    taken: Collection[str]


@dataclass(frozen=True, slots=True)
class EndUserPlanner:
    member_planner: MemberPlanner
    state_effects: StateEffects
    role_grant_planner: RoleGrantPlanner
    group_member_planner: GroupMemberPlanner
    change_human: ChangeEndUser
    accounts: MongoAccounts
    ids: IdSpace
    create_human: CreateEndUser

    async def plan_end_users(self, plan: Plan, home: PlannedOrg) -> None:
        numbered = enumerate(home.wanted.humans or ())
        while several := list(islice(numbered, FOUND_AT_ONCE)):
            stored = await self._find_stored([wanted for _, wanted in several])
            for number, wanted in several:
                path = f"{home.path}.humans[{number}]"
                before = self._existing_of(stored, home.org, wanted, path)
                await self._plan_end_user(plan, home.org, wanted, before, path)

    async def _find_stored(self, several: Sequence[document.EndUser]) -> _Candidates:
        ids = {one.id for one in several if one.id and is_id(one.id)}
        by_id, by_name = await self.accounts.find_each_by_id_or_name(ids, {_name_of(one) for one in several})
        return _Candidates(by_id, by_name, await self.ids.list_taken(ids - by_id.keys()))

    async def _plan_end_user(
        self, plan: Plan, org: Org, wanted: document.EndUser, before: EndUser | None, path: str
    ) -> None:
        user_name = wanted.username or wanted.email.email
        links = await plan_links(plan, org, before.idp_links if before else (), wanted.idp_links, path)
        grants = await self.role_grant_planner.plan_grants(plan, org, _grants_with(before, links), wanted.grants, path)
        if before is None:
            planned = await self._create(plan, org, wanted, path, links=links, grants=grants)
            entry, password = planned.entry, planned.password
        else:
            now = self.change_human.clock.now()
            change = _change(plan, before, wanted, links=links, grants=grants, path=path, now=now)
            with below(path):
                entry = (await self.change_human.plan(before, change, beside=plan.beside)).entry
            password = ""
        after = await self.group_member_planner.in_groups(plan, org, entry, wanted.groups, path)
        entry = dataclasses.replace(entry, after=after)
        roles = await self.member_planner.plan_roles(plan, before, after, wanted.roles, path)
        step = step_of(Subject("human", path, user_name), entry, roles, password=password)
        plan.add_user(after, self.state_effects.with_consequences(before, after, step))

    def _existing_of(self, stored: _Candidates, org: Org, wanted: document.EndUser, path: str) -> EndUser | None:
        member = "username" if wanted.username else "email.email"
        named, id = stored.by_name.get(canonical(_name_of(wanted))), wanted.id or ""
        question: Wanted[AnyUser] = Wanted(path, wanted.id, member, _end_user_of(org), self.accounts.find, named)
        found = existing_of(question, stored.by_id.get(id), is_free=id not in stored.taken)
        return found if isinstance(found, EndUser) else None

    async def _create(
        self,
        plan: Plan,
        org: Org,
        wanted: document.EndUser,
        path: str,
        *,
        links: IdpLinks,
        grants: tuple[RoleGrant, ...],
    ) -> PlannedEndUser:
        if wanted.password is not None and wanted.hashed_password is not None:
            raise at(f"{path}.hashedPassword", TWO_PASSWORDS.error())
        new = NewEndUser(
            id=wanted.id or await plan.new_id(path),
            user_name=wanted.username or "",
            profile=wanted.profile,
            email=wanted.email.email,
            email_proof=ProofKind.ASSERTED if wanted.email.is_verified else None,
            phone=wanted.phone.phone if wanted.phone else "",
            phone_verified=wanted.phone is not None and wanted.phone.is_verified,
            attributes=wanted.attributes,
            metadata=tuple(_metadata_values(wanted, path).items()),
            password=wanted.password or wanted.hashed_password,
            idp_links=links,
            grants=grants,
            state=State((wanted.state or UserState.ACTIVE).value),
        )
        with below(path):
            return await self.create_human.plan(org, new, plan.beside)


def _name_of(wanted: document.EndUser) -> str:
    return wanted.username or wanted.email.email


def _end_user_of(org: Org) -> Callable[[AnyUser], bool]:
    return lambda user: isinstance(user, EndUser) and user.org_id == org.id and user.state is not State.DELETED


def _change(
    plan: Plan,
    before: EndUser,
    wanted: document.EndUser,
    *,
    links: IdpLinks,
    grants: tuple[RoleGrant, ...],
    path: str,
    now: float,
) -> EndUserChange:
    """Keeps the verified state of unchanged contacts; an address marked as verified ends the waiting period."""
    email, phone = wanted.email, wanted.phone
    is_settled = before.email_verified and before.recovery_from <= now
    same_email = email.email == before.email and (is_settled or not email.is_verified)
    same_phone = phone is None or (phone.phone == before.phone and (before.phone_verified or not phone.is_verified))
    return EndUserChange(
        user_name=wanted.username or email.email,
        profile=wanted.profile,
        attributes=_attributes(before, wanted.attributes),
        email=None if same_email else Contact(email.email, email.is_verified),
        phone=None if phone is None or same_phone else Contact(phone.phone, phone.is_verified),
        metadata=_metadata(plan, before, wanted, path),
        idp_links=links,
        grants=grants,
        state=wanted_state(before, wanted.state, path),
    )


def _attributes(before: EndUser, wanted: document.Attributes | None) -> document.Attributes | None:
    if wanted is None or wanted.address is not None or before.address is None:
        return wanted
    return msgspec.structs.replace(wanted, address=document.Address(**msgspec.structs.asdict(before.address)))


def _metadata(plan: Plan, human: EndUser, wanted: document.EndUser, path: str) -> tuple[Metadata, ...]:
    if wanted.metadata is None and wanted.binary_metadata is None:
        return human.metadata
    return with_metadata(() if plan.prune else human.metadata, _metadata_values(wanted, path))


def _metadata_values(wanted: document.EndUser, path: str) -> dict[str, bytes]:
    values = {key: text.encode() for key, text in (wanted.metadata or {}).items()}
    for key, text in (wanted.binary_metadata or {}).items():
        if key in values:
            raise at(f"{path}.binaryMetadata", NAME_TAKEN.error())
        try:
            values[key] = base64.b64decode(text, validate=True)
        except ValueError:
            raise at(f"{path}.binaryMetadata", INVALID_METADATA.error()) from None
    return values
