"""Creates a human: the specification's "create a human user"."""

from __future__ import annotations

from portico_contracts.apply import HashedPassword, Password
from portico_contracts.generated.portico.user.v2.user_service_pb2 import AddHumanUserRequest, AddHumanUserResponse

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call, RequestContext, Target
from portico_users.api.transport.targets import header_org_id, own_or_named_org
from portico_users.api.user_v2.users.chosen_codes import chosen_for_email, chosen_for_phone
from portico_users.api.user_v2.users.person_values import (
    attributes_of,
    hashed_password_of,
    links_of,
    metadata_of,
    password_of,
    profile_of,
)
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import UserCodes
from portico_users.commands.accounts.user_orgs import UserOrgs
from portico_users.commands.people.create_human import CreateHuman
from portico_users.commands.people.new_human import NewHuman
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.rules import ORG_NOT_FOUND
from portico_users.directory.organizations.store import MongoOrgs


async def org_of_new_user(
    context: RequestContext, request: AddHumanUserRequest, *, orgs: MongoOrgs, user_orgs: UserOrgs
) -> Target[Org]:
    """The organization the request names, by id, by domain or by both; else as `own_or_named_org`.

    Raises:
        ServiceError: as `UserOrgs.find_named`; USER-313.
    """
    named = request.organisation
    if not named.org_id and not named.org_domain:
        return await own_or_named_org(context, request, orgs=orgs)
    header_org_id(context)
    # Only who may know both learns that they differ.
    org = await user_orgs.find_named(named.org_id, named.org_domain, knows=context.caller.knows)
    return Target(org.id, org, ORG_NOT_FOUND)


async def add_human_user(
    call: Call[Org], request: AddHumanUserRequest, *, create_human: CreateHuman, codes: UserCodes
) -> AddHumanUserResponse:
    """Creates the user, its password and its codes in one transaction. Raises as `CreateHuman`; USER-331, USER-404."""
    mail, phone = chosen_for_email(codes, request.email, "email"), chosen_for_phone(request.phone, "phone")
    new = NewHuman(
        id=request.user_id if request.HasField("user_id") else None,
        user_name=request.username,
        profile=profile_of(request.profile),
        email=request.email.email,
        email_proof=mail.proof,
        phone=request.phone.phone,
        phone_verified=phone.vouched,
        attributes=attributes_of(request.attributes),
        metadata=metadata_of(request.metadata),
        idp_links=links_of(request.idp_links),
        password=_password(request),
        codes=(mail.code_request, phone.code_request),
    )
    created = await create_human(call.target.subject, new, actor=call.caller.user_id)
    return AddHumanUserResponse(
        user_id=created.human.id,
        details=changed_details_of(created.human),
        email_code=created.codes.get(Subject.EMAIL),
        phone_code=created.codes.get(Subject.PHONE),
    )


def _password(request: AddHumanUserRequest) -> Password | HashedPassword | None:
    match request.WhichOneof("password_type"):
        case "hashed_password":
            return hashed_password_of(request.hashed_password)
        case "password":
            return password_of(request.password)
        case _:
            return None
