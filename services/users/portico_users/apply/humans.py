"""Plans humans, with their role grants and memberships."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from portico_contracts import apply as document

from portico_users.accounts.account import AnyUser
from portico_users.apply.finding import Stored, Wanted, find_existing
from portico_users.apply.grants import PlannedOrg, plan_grants
from portico_users.apply.step import Step, Subject, step_of
from portico_users.credentials.block_list import common_passwords
from portico_users.domain.password_policy import STANDARD, problem_with
from portico_users.domain.policies import effective
from portico_users.domain.problems import at, refuse_first
from portico_users.domain.records import State
from portico_users.humans.commands import put_human
from portico_users.humans.human import Address, Human, default_display_name, with_metadata
from portico_users.instance.instance import UNSET
from portico_users.members.commands import problems_of, put_roles
from portico_users.orgs.org import Org


async def plan_human(stored: Stored, home: PlannedOrg, wanted: document.Human, path: str) -> Step:
    """The step that brings a human to what is wanted.

    Raises:
        Refusal: naming the place, when it may not be so.
    """
    org = home.org
    user_name = wanted.username or wanted.email.email
    refuse_first(problems_of(wanted.roles), path)
    name_member = "username" if wanted.username else "email.email"
    named = await stored.accounts.find_by_name(user_name)
    question: Wanted[AnyUser] = Wanted(path, wanted.id, name_member, _human_of(org), stored.accounts.find, named)
    found = await find_existing(stored.ids, question)
    before = found if isinstance(found, Human) else None
    after = _with_attributes(_with_contact(before or _new(stored, org, wanted, user_name), wanted, user_name), wanted)
    grants = await plan_grants(stored, home, after.grants, wanted.grants, path)
    after = msgspec.structs.replace(after, grants=grants)
    roles = put_roles(
        await stored.members.list_of_user(after.id) if before else (),
        wanted.roles,
        user_id=after.id,
        org_id=org.id,
        random=stored.random,
    )
    password = await _initial_password(stored, org, wanted, path) if before is None else ""
    entry = put_human(before, after, path=path)
    return step_of(Subject("human", path, user_name), entry, roles, password=password)


def _human_of(org: Org) -> Callable[[AnyUser], bool]:
    return lambda user: isinstance(user, Human) and user.org_id == org.id and user.state is not State.DELETED


def _new(stored: Stored, org: Org, wanted: document.Human, user_name: str) -> Human:
    password = wanted.password
    return Human(
        id=wanted.id or stored.new_id(),
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
        human,
        user_name=user_name,
        first_name=profile.first_name,
        last_name=profile.last_name,
        display_name=profile.display_name or default_display_name(profile.first_name, profile.last_name),
        nick_name=profile.nick_name,
        preferred_language=profile.preferred_language,
        gender=profile.gender,
        email=email.email,
        # What a person proved meanwhile stays proved for the same address.
        email_verified=email.is_verified or (human.email_verified and human.email == email.email),
        phone=phone.phone if phone else human.phone,
        phone_verified=(
            phone.is_verified or (human.phone_verified and human.phone == phone.phone)
            if phone
            else human.phone_verified
        ),
        metadata=with_metadata(human.metadata, {key: text.encode() for key, text in wanted.metadata.items()}),
    )


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


async def _initial_password(stored: Stored, org: Org, wanted: document.Human, path: str) -> str:
    if wanted.password is None:
        return ""
    instance = await stored.instances.find_settings() or UNSET
    rules = effective(org.policies, instance.policies).password or STANDARD
    user_name = wanted.username or wanted.email.email
    if problem := problem_with(wanted.password.password, user_name, common_passwords(), rules):
        raise at(f"{path}.password.password", problem.refusal())
    return wanted.password.password
