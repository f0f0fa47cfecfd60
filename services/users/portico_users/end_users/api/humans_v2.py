"""Humans and users of either kind: create, update, change the state, delete."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.apply import HashedPassword, Password
from portico_contracts.generated.portico.user.v2.user_changes_pb2 import (
    DeleteUserRequest,
    UpdateHumanUserRequest,
    UpdateHumanUserResponse,
)
from portico_contracts.generated.portico.user.v2.user_service_pb2 import AddHumanUserRequest, AddHumanUserResponse

from portico_users.accounts.account import AnyUser
from portico_users.accounts.edit_accounts import DeleteUser, UserOrgs
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import MongoMembers
from portico_users.end_users.api.chosen_codes import (
    Chosen,
    chosen_for_email,
    chosen_for_phone,
    refuse_unproven_choice,
    require_manager,
)
from portico_users.end_users.api.passwords import new_password_in
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import UserCodes
from portico_users.end_users.commands.change_end_user import ChangeEndUser, Contact, EndUserChange
from portico_users.end_users.commands.set_password import NewPassword
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.messages import (
    attributes_of,
    hashed_password_of,
    links_of,
    metadata_of,
    password_of,
    profile_of,
)
from portico_users.end_users.new_end_user import NewEndUser
from portico_users.management_api.protobuf.details import changed_details_of
from portico_users.management_api.protobuf.target_user import end_user_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import USER_NOT_FOUND, header_org_id, own_or_named_org
from portico_users.organizations.org import ORG_NOT_FOUND, MongoOrgs, Org
from portico_users.values.names import MAX_LENGTH
from portico_users.values.records import State


async def org_of_new_user(
    context: RequestContext, request: AddHumanUserRequest, *, orgs: MongoOrgs, user_orgs: UserOrgs
) -> Target[Org]:
    named = request.organisation
    if not named.org_id and not named.org_domain:
        return await own_or_named_org(context, request, orgs=orgs)
    header_org_id(context)
    # Only callers who may see both organizations learn that id and domain differ.
    org = await user_orgs.find_named(named.org_id, named.org_domain, knows=context.caller.knows)
    return Target(org.id, org, ORG_NOT_FOUND)


async def add_human_user(
    call: Call[Org], request: AddHumanUserRequest, *, create_human: CreateEndUser, codes: UserCodes
) -> AddHumanUserResponse:
    """Creates the user, password and codes in one transaction. Raises as `CreateEndUser`; USER-331, USER-404."""
    mail, phone = chosen_for_email(codes, request.email, "email"), chosen_for_phone(request.phone, "phone")
    new = NewEndUser(
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


async def update_human_user(
    call: Call[AnyUser],
    request: UpdateHumanUserRequest,
    *,
    change_human: ChangeEndUser,
    codes: UserCodes,
    members: MongoMembers,
) -> UpdateHumanUserResponse:
    human, has = end_user_of(call), request.HasField
    mail = chosen_for_email(codes, request.email, "email") if has("email") else Chosen()
    phone = chosen_for_phone(request.phone, "phone")
    refuse_unproven_choice(call, mail, phone)
    if has("username") and request.username != human.user_name:
        require_manager(call, "username")
    password = await new_password_in(call, request.password, members) if has("password") else None
    change = replace(_change_of(request, mail, phone, password), session_id=call.caller.session_id)
    changed = await change_human(human, change, actor=call.caller.user_id)
    return UpdateHumanUserResponse(
        details=changed_details_of(changed.human),
        email_code=changed.codes.get(Subject.EMAIL),
        phone_code=changed.codes.get(Subject.PHONE),
    )


def _change_of(
    request: UpdateHumanUserRequest, email: Chosen, phone: Chosen, password: NewPassword | None
) -> EndUserChange:
    has = request.HasField
    return EndUserChange(
        user_name=request.username if has("username") else None,
        profile=profile_of(request.profile) if has("profile") else None,
        attributes=attributes_of(request.attributes) if has("attributes") else None,
        email=Contact(request.email.email, email.vouched) if has("email") else None,
        phone=Contact(request.phone.phone, phone.vouched) if has("phone") else None,
        password=password,
        codes=(email.code_request, phone.code_request),
    )


async def user_to_delete(
    context: RequestContext, request: DeleteUserRequest, *, accounts: MongoAccounts, delete: DeleteUser
) -> Target[AnyUser]:
    """Also finds a deleted user whose grants are not completely revoked. Raises as `named_user`."""
    header_org_id(context)
    user = await accounts.find(request.user_id[: MAX_LENGTH + 1])
    if user is None or (user.state is State.DELETED and not await delete.is_unfinished(user)):
        raise USER_NOT_FOUND.error()
    return Target(user.org_id, user, USER_NOT_FOUND, user_id=user.id)
