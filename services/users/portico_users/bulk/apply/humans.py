"""Plans humans, with their role grants and memberships."""

from __future__ import annotations

import base64
from collections.abc import Callable

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import UserState
from portico_oauth.errors import ErrorCode, Kind

from portico_users.bulk.apply.finding import Stored, Wanted, find_existing
from portico_users.bulk.apply.grants import plan_grants
from portico_users.bulk.apply.links import plan_links
from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.roles import plan_roles
from portico_users.bulk.apply.states import with_consequences, with_state
from portico_users.bulk.apply.step import Subject, step_of
from portico_users.commands.people.create_human import PlannedHuman
from portico_users.commands.people.new_human import NewHuman
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.grants.role_grants import RoleGrant
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.email_address import with_address
from portico_users.directory.people.human import (
    Address,
    Human,
    Metadata,
    ProofKind,
    default_display_name,
    with_metadata,
)
from portico_users.directory.people.idp_links import IdpLinks
from portico_users.directory.people.rules import INVALID_METADATA
from portico_users.kernel.journal import NAME_TAKEN
from portico_users.kernel.problems import at, below
from portico_users.kernel.records import State

TWO_PASSWORDS = ErrorCode(
    "USER-832", Kind.INVALID_REQUEST, "There are two passwords.", "Give the password or its hash, not both."
)


async def plan_human(plan: Plan, org: Org, wanted: document.Human, path: str) -> None:
    """Adds the step that brings a human to what is wanted.

    Raises:
        ServiceError: naming the place, when it may not be so.
    """
    stored = plan.stored
    user_name = wanted.username or wanted.email.email
    before = await _find_human(stored, org, wanted, path)
    links = await plan_links(plan, org, before.idp_links if before else (), wanted.idp_links, path)
    grants = await plan_grants(plan, org, before.grants if before else (), wanted.grants, path)
    if before is None:
        planned = await _create(plan, org, wanted, path, links=links, grants=grants)
        entry, password = planned.entry, planned.password
    else:
        after = _with_attributes(_with_contact(before, wanted, user_name), wanted)
        metadata = _metadata(plan, after, wanted, path)
        after = msgspec.structs.replace(after, metadata=metadata, idp_links=links, grants=grants)
        entry, password = put_human(before, with_state(before, after, wanted.state, path), path=path), ""
    after = entry.after
    roles = await plan_roles(plan, before, after, wanted.roles, path)
    step = step_of(Subject("human", path, user_name), entry, roles, password=password)
    plan.users[after.id] = after
    plan.add(after, with_consequences(stored, before, after, step))


async def _find_human(stored: Stored, org: Org, wanted: document.Human, path: str) -> Human | None:
    name_member = "username" if wanted.username else "email.email"
    named = await stored.accounts.find_by_name(wanted.username or wanted.email.email)
    question: Wanted[AnyUser] = Wanted(path, wanted.id, name_member, _human_of(org), stored.accounts.find, named)
    found = await find_existing(stored.ids, question)
    return found if isinstance(found, Human) else None


def _human_of(org: Org) -> Callable[[AnyUser], bool]:
    return lambda user: isinstance(user, Human) and user.org_id == org.id and user.state is not State.DELETED


async def _create(
    plan: Plan, org: Org, wanted: document.Human, path: str, *, links: IdpLinks, grants: tuple[RoleGrant, ...]
) -> PlannedHuman:
    if wanted.password is not None and wanted.hashed_password is not None:
        raise at(f"{path}.hashedPassword", TWO_PASSWORDS.error())
    new = NewHuman(
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
        return await plan.stored.commands.create_human.plan(org, new, plan.beside)


def _with_contact(human: Human, wanted: document.Human, user_name: str) -> Human:
    profile, email, phone = wanted.profile, wanted.email, wanted.phone
    return msgspec.structs.replace(
        _with_mail(human, email),
        user_name=user_name,
        first_name=profile.first_name,
        last_name=profile.last_name,
        display_name=profile.display_name or default_display_name(profile.first_name, profile.last_name),
        nick_name=profile.nick_name,
        preferred_language=profile.preferred_language,
        gender=profile.gender,
        phone=phone.phone if phone else human.phone,
        phone_verified=(
            phone.is_verified or (human.phone_verified and human.phone == phone.phone)
            if phone
            else human.phone_verified
        ),
    )


def _with_mail(human: Human, wanted: document.Email) -> Human:
    """What a person proved meanwhile stays proved for the same address."""
    if human.email == wanted.email and not wanted.is_verified:
        return human
    return with_address(human, wanted.email, verified=wanted.is_verified, recovery_from=0.0)


def _with_attributes(human: Human, wanted: document.Human) -> Human:
    attributes = wanted.attributes
    if attributes is None:
        return human
    address = attributes.address
    return msgspec.structs.replace(
        human,
        middle_name=attributes.middle_name,
        profile_url=attributes.profile_url,
        website=attributes.website,
        picture=attributes.picture,
        birthdate=attributes.birthdate,
        zoneinfo=attributes.zoneinfo,
        address=Address(**msgspec.structs.asdict(address)) if address else human.address,
    )


def _metadata(plan: Plan, human: Human, wanted: document.Human, path: str) -> tuple[Metadata, ...]:
    """The stored entries with the wanted ones set."""
    if wanted.metadata is None and wanted.binary_metadata is None:
        return human.metadata
    return with_metadata(() if plan.prune else human.metadata, _metadata_values(wanted, path))


def _metadata_values(wanted: document.Human, path: str) -> dict[str, bytes]:
    values = {key: text.encode() for key, text in (wanted.metadata or {}).items()}
    for key, text in (wanted.binary_metadata or {}).items():
        if key in values:
            raise at(f"{path}.binaryMetadata", NAME_TAKEN.error())
        try:
            values[key] = base64.b64decode(text, validate=True)
        except ValueError:
            raise at(f"{path}.binaryMetadata", INVALID_METADATA.error()) from None
    return values
