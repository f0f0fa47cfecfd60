"""Plans humans, with their role grants and memberships."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Callable

import msgspec
from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.bulk.apply.finding import Stored, Wanted, find_existing
from portico_users.bulk.apply.grants import plan_grants
from portico_users.bulk.apply.links import plan_links
from portico_users.bulk.apply.plan import Plan
from portico_users.bulk.apply.roles import plan_roles
from portico_users.bulk.apply.states import with_consequences, with_state
from portico_users.bulk.apply.step import Subject, step_of
from portico_users.credentials.passwords.block_list import common_passwords
from portico_users.credentials.passwords.hash_counts import password_attachment
from portico_users.credentials.passwords.imported_hashes import refuse_unusable
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.instance.instance import UNSET
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.email_address import with_address
from portico_users.directory.people.human import Address, Human, Metadata, default_display_name, with_metadata
from portico_users.directory.people.rules import INVALID_METADATA
from portico_users.directory.policies.password_policy import STANDARD, problem_with
from portico_users.directory.policies.policies import effective
from portico_users.kernel.entry import Entry
from portico_users.kernel.journal import NAME_TAKEN
from portico_users.kernel.problems import at
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
    after = before or _new(wanted.id or await plan.new_id(path), org, wanted, user_name)
    after = _with_attributes(_with_contact(after, wanted, user_name), wanted)
    after = msgspec.structs.replace(
        after,
        metadata=_metadata(plan, after, wanted, path),
        idp_links=await plan_links(plan, org, after.idp_links, wanted.idp_links, path),
        grants=await plan_grants(plan, org, after.grants, wanted.grants, path),
    )
    after = with_state(before, after, wanted.state, path)
    entry = put_human(before, after, path=path)
    password = ""
    if before is None:
        password = await _initial_password(stored, org, wanted, path)
        entry = _with_hash(entry, wanted, path)
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


def _new(id: str, org: Org, wanted: document.Human, user_name: str) -> Human:
    password = wanted.password or wanted.hashed_password
    return Human(
        id=id,
        org_id=org.id,
        user_name=user_name,
        first_name=wanted.profile.first_name,
        last_name=wanted.profile.last_name,
        display_name=wanted.profile.display_name,
        email=wanted.email.email,
        has_password=password is not None,
        password_change_required=password is not None and password.change_required,
    )


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
    values = {key: text.encode() for key, text in (wanted.metadata or {}).items()}
    for key, text in (wanted.binary_metadata or {}).items():
        if key in values:
            raise at(f"{path}.binaryMetadata", NAME_TAKEN.error())
        try:
            values[key] = base64.b64decode(text, validate=True)
        except ValueError:
            raise at(f"{path}.binaryMetadata", INVALID_METADATA.error()) from None
    return with_metadata(() if plan.prune else human.metadata, values)


def _with_hash(entry: Entry[Human], wanted: document.Human, path: str) -> Entry[Human]:
    """The entry with the hash that is brought along, if any."""
    if wanted.hashed_password is None:
        return entry
    if wanted.password is not None:
        raise at(f"{path}.hashedPassword", TWO_PASSWORDS.error())
    try:
        refuse_unusable(wanted.hashed_password.hash)
    except ServiceError as error:
        raise at(f"{path}.hashedPassword.hash", error) from None
    attachment = password_attachment(entry.after.id, wanted.hashed_password.hash)
    return dataclasses.replace(entry, attachments=(attachment,), attached=("password",))


async def _initial_password(stored: Stored, org: Org, wanted: document.Human, path: str) -> str:
    if wanted.password is None:
        return ""
    instance = await stored.instances.find_settings() or UNSET
    rules = effective(org.policies, instance.policies).password or STANDARD
    user_name = wanted.username or wanted.email.email
    if problem := problem_with(wanted.password.password, user_name, common_passwords(), rules):
        raise at(f"{path}.password.password", problem.error())
    return wanted.password.password
