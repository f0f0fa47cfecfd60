"""Creates a human: the specification's "create a human user"."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import msgspec
from portico_contracts.generated.portico.user.v2.user_service_pb2 import AddHumanUserRequest, AddHumanUserResponse
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call, RequestContext, Target
from portico_users.api.transport.needs import Needs
from portico_users.api.transport.targets import ORG_NOT_FOUND, header_org_id, own_or_named_org
from portico_users.api.user_v2.users.chosen_codes import Chosen, chosen_for_mail, chosen_for_phone, with_code
from portico_users.api.user_v2.users.idp_links import usable_links
from portico_users.api.user_v2.users.person_values import metadata_values, profile_values, with_attributes
from portico_users.api.user_v2.users.user_names import refuse_foreign_name
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human, with_metadata
from portico_users.kernel.entry import Attachment, Entry, Work
from portico_users.kernel.names import INVALID_ID, MAX_LENGTH, is_id
from portico_users.kernel.problems import at
from portico_users.kernel.records import State

ORGS_DIFFER = ErrorCode(
    "USER-316",
    Kind.INVALID_REQUEST,
    "The id and the domain are those of different organizations.",
    "Name the organization in one way.",
)


class PlannedHuman(NamedTuple):
    """A user to be created.

    Attributes:
        email_code, phone_code: to be returned; empty where none is.
    """

    entry: Entry[Human]
    email_code: str = ""
    phone_code: str = ""


async def org_of_new_user(context: RequestContext, request: AddHumanUserRequest) -> Target[Org]:
    """The organization the request names, by id, by domain or by both; else as `own_or_named_org`.

    Raises:
        ServiceError: USER-314 for an unknown one, USER-316 for two, USER-313.
    """
    named = request.organisation
    if not named.org_id and not named.org_domain:
        return await own_or_named_org(context, request, orgs=context.needs.orgs)
    header_org_id(context)
    orgs = context.needs.orgs
    found = []
    if named.org_id:
        found.append(await orgs.find(named.org_id[: MAX_LENGTH + 1]))
    if named.org_domain:
        found.append(await orgs.find_by_domain(named.org_domain))
    org = found[0]
    if org is None or org.state is not State.ACTIVE or None in found:
        raise ORG_NOT_FOUND.error()
    target = Target(org.id, org, ORG_NOT_FOUND)
    if any(other is not None and other.id != org.id for other in found):
        # Only who may know both learns that they differ.
        raise (ORGS_DIFFER if all(o and context.caller.knows(o.id) for o in found) else ORG_NOT_FOUND).error()
    return target


async def add_human_user(call: Call[Org], request: AddHumanUserRequest) -> AddHumanUserResponse:
    """Creates the user, its password and its codes in one transaction.

    Raises:
        ServiceError: of the rules for humans and passwords, each naming its field; USER-010 and USER-011 for an id or
            a name that is taken; USER-864 for one in another organization's domain; USER-317, USER-318, USER-320, USER-321, USER-331, USER-404.
    """
    mail, phone = chosen_for_mail(call.needs, request.email, "email"), chosen_for_phone(request.phone, "phone")
    return await create_human(call, request, mail, phone)


async def create_human(
    call: Call[Org],
    request: AddHumanUserRequest,
    mail: Chosen,
    phone: Chosen,
    side_writes: tuple[Work, ...] = (),
) -> AddHumanUserResponse:
    """As `add_human_user`, with what is chosen to verify the address and the number.

    Args:
        side_writes: what else is done in the same transaction.
    """
    planned = await plan_human(call.needs, call.target.subject, request, mail, phone)
    entry = dataclasses.replace(planned.entry, side_writes=(*side_writes, *planned.entry.side_writes))
    record = await commit(call, entry)
    answer = AddHumanUserResponse(user_id=record.id, details=changed_details_of(record))
    if planned.email_code:
        answer.email_code = planned.email_code
    if planned.phone_code:
        answer.phone_code = planned.phone_code
    return answer


async def plan_human(needs: Needs, org: Org, request: AddHumanUserRequest, mail: Chosen, phone: Chosen) -> PlannedHuman:
    """The entry that creates the user, for whoever commits it. Raises as `add_human_user`."""
    human = human_of_request(needs, org.id, request, mail, phone)
    await refuse_foreign_name(needs, human.user_name, org.id, "username" if request.username else "email.email")
    links = await usable_links(needs, org.id, request.idp_links)
    entry = put_human(None, msgspec.structs.replace(human, idp_links=links))
    password = await _password(needs, human, request)
    attached = ("password",) if password else ()
    entry = dataclasses.replace(entry, attachments=password, attached=attached)
    mailed = with_code(needs, entry, org, mail.code_request)
    numbered = with_code(needs, mailed.entry, org, phone.code_request)
    return PlannedHuman(numbered.entry, mailed.code, numbered.code)


def human_of_request(needs: Needs, org_id: str, request: AddHumanUserRequest, mail: Chosen, phone: Chosen) -> Human:
    """The human a request describes, without its links; USER-001, USER-317 with the place."""
    if request.HasField("user_id") and not is_id(request.user_id):
        raise at("userId", INVALID_ID.error())
    human = Human(
        id=request.user_id or needs.new_id(),
        org_id=org_id,
        user_name=request.username or request.email.email,
        email=request.email.email,
        email_verified=mail.vouched,
        phone=request.phone.phone,
        phone_verified=phone.vouched,
        metadata=with_metadata((), metadata_values(request.metadata)),
        has_password=request.WhichOneof("password_type") is not None,
        password_change_required=request.password.change_required or request.hashed_password.change_required,
        **profile_values(request.profile),
    )
    return with_attributes(human, request.attributes)


async def _password(needs: Needs, human: Human, request: AddHumanUserRequest) -> tuple[Attachment, ...]:
    """What is stored of the password: the hash that was brought, or that of one the policy takes."""
    match request.WhichOneof("password_type"):
        case "hashed_password":
            return (needs.passwords.imported(human, request.hashed_password.hash, "hashedPassword.hash"),)
        case "password":
            return (await needs.passwords.hashed(human, request.password.password, "password.password"),)
        case _:
            return ()
