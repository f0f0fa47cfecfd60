"""Plans service users, with their memberships. Their keys and secrets come with the management API."""

from __future__ import annotations

import msgspec
from portico_contracts.apply import ServiceUser

from portico_users.accounts.account import AnyUser
from portico_users.apply.finding import Stored, Wanted, find_existing
from portico_users.apply.step import Step, Subject, step_of
from portico_users.apps.vocabulary import ACCESS_TOKEN_TYPES
from portico_users.domain.problems import refuse_first
from portico_users.machines.commands import put_machine
from portico_users.machines.machine import Machine
from portico_users.members.commands import problems_of, put_roles
from portico_users.orgs.org import Org


async def plan_service_user(stored: Stored, org: Org, wanted: ServiceUser, path: str) -> Step:
    """The step that brings a service user to what is wanted.

    Raises:
        Refusal: naming the place, when it may not be so.
    """
    refuse_first(problems_of(wanted.roles), path)
    named = await stored.accounts.find_by_name(wanted.username)

    def fits(user: AnyUser) -> bool:
        return isinstance(user, Machine) and user.org_id == org.id

    question: Wanted[AnyUser] = Wanted(path, wanted.id, "username", fits, stored.accounts.find, named)
    found = await find_existing(stored.ids, question)
    before = found if isinstance(found, Machine) else None
    after = msgspec.structs.replace(
        before or Machine(id=wanted.id or stored.new_id(), org_id=org.id, user_name=wanted.username, name=wanted.name),
        user_name=wanted.username,
        name=wanted.name,
        description=wanted.description,
        access_token_type=ACCESS_TOKEN_TYPES[wanted.access_token_type],
    )
    roles = put_roles(
        await stored.members.list_of_user(after.id) if before else (),
        wanted.roles,
        user_id=after.id,
        org_id=org.id,
        random=stored.random,
    )
    return step_of(Subject("service_user", path, wanted.username), put_machine(before, after, path=path), roles)
