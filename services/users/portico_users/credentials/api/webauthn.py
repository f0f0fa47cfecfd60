from __future__ import annotations

import dataclasses
from typing import Final, NamedTuple

from google.protobuf.json_format import ParseDict
from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails
from webauthn.helpers.structs import AuthenticatorAttachment

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.permissions import Permission
from portico_users.credentials.api.factors import facts_of
from portico_users.credentials.commands.remove_credentials import Afterwards, LostCredentials, RemoveCredentials
from portico_users.credentials.passkey_links import CreatePasskeyLink, LinkRequest
from portico_users.credentials.webauthn.ceremonies import Ceremonies, Use
from portico_users.credentials.webauthn.edit_passkeys import CredentialRequest, NewCredential, RegisterCredential
from portico_users.credentials.webauthn.registration_links import INVALID_LINK, Link, PasskeyLinks
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredentials
from portico_users.end_users.end_user import EndUser
from portico_users.management_api.protobuf.details import changed_details_of
from portico_users.management_api.protobuf.target_user import end_user_of, login_name_of, org_of, user_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.management_api.transport.targets import named_user
from portico_users.management_api.transport.wire.struct_json import struct_members
from portico_users.organizations.org import MongoOrgs
from portico_users.values.problems import at

_ATTACHMENTS: Final = {
    pb.PASSKEY_AUTHENTICATOR_PLATFORM: AuthenticatorAttachment.PLATFORM,
    pb.PASSKEY_AUTHENTICATOR_CROSS_PLATFORM: AuthenticatorAttachment.CROSS_PLATFORM,
}


async def register_u2f(
    call: Call[AnyUser], request: pb.RegisterU2FRequest, *, register: RegisterCredential, orgs: MongoOrgs
) -> pb.RegisterU2FResponse:
    human = end_user_of(call)
    requested = CredentialRequest(Use.U2F, call.caller.user_id, request.domain)
    begun = await register(human, await login_name_of(call, human, orgs), requested)
    answer = pb.RegisterU2FResponse(details=changed_details_of(human), u2f_id=begun.id)
    ParseDict(begun.options, answer.public_key_credential_creation_options)
    return answer


async def register_passkey(
    call: Call[NewPasskey], request: pb.RegisterPasskeyRequest, *, register: RegisterCredential, orgs: MongoOrgs
) -> pb.RegisterPasskeyResponse:
    owner, link_id = call.target.subject
    if request.HasField("code") and not link_id:
        raise at("code", INVALID_LINK.error())
    human = user_of(owner)
    attachment = _ATTACHMENTS.get(request.authenticator)
    requested = CredentialRequest(Use.PASSKEY, call.caller.user_id, request.domain, attachment, link_id)
    begun = await register(human, await login_name_of(call, human, orgs), requested)
    answer = pb.RegisterPasskeyResponse(details=changed_details_of(human), passkey_id=begun.id)
    ParseDict(begun.options, answer.public_key_credential_creation_options)
    return answer


def passkey_credential(request: pb.VerifyPasskeyRegistrationRequest) -> NewCredential:
    return NewCredential(request.passkey_id, struct_members(request.public_key_credential), request.passkey_name)


def u2f_credential(request: pb.VerifyU2FRegistrationRequest) -> NewCredential:
    return NewCredential(request.u2f_id, struct_members(request.public_key_credential), request.token_name)


async def list_passkeys(
    call: Call[AnyUser], _request: pb.ListPasskeysRequest, *, keys: WebAuthnCredentials
) -> pb.ListPasskeysResponse:
    human = end_user_of(call)
    stored = {key.id: key for key in await keys.list_of_user(human.id)}
    found = [
        pb.Passkey(id=key.id, state=pb.AUTH_FACTOR_STATE_READY, name=key.name, **facts_of(stored.get(key.id)))
        for key in human.security_keys
        if key.passkey
    ]
    return pb.ListPasskeysResponse(details=ListDetails(total_result=len(found)), result=found)


async def create_passkey_registration_link(
    call: Call[AnyUser], request: pb.CreatePasskeyRegistrationLinkRequest, *, create: CreatePasskeyLink, orgs: MongoOrgs
) -> pb.CreatePasskeyRegistrationLinkResponse:
    human = end_user_of(call)
    emailed = request.WhichOneof("medium") != "return_code"
    requested = LinkRequest(request.send_link.url_template, "sendLink.urlTemplate", emailed)
    link = (await create(human, await org_of(call, human, orgs), requested)).link
    answer = pb.CreatePasskeyRegistrationLinkResponse(details=changed_details_of(human))
    if not emailed:
        answer.code.CopyFrom(pb.PasskeyRegistrationCode(id=link.id, code=link.code))
    return answer


async def remove_credentials(
    call: Call[AnyUser], request: pb.RemoveCredentialsRequest, *, remove: RemoveCredentials, orgs: MongoOrgs
) -> pb.RemoveCredentialsResponse:
    human, org_id = end_user_of(call), call.target.org_id
    if request.send_passkey_link and not call.caller.may(Permission.USER_PASSKEY_WRITE, org_id):
        needed = Permission.USER_PASSKEY_WRITE
        raise at("sendPasskeyLink", NOT_PERMITTED.error(named=needed, permission=needed))
    lost = LostCredentials(
        passkey_ids=tuple(dict.fromkeys(request.passkey_ids)),
        u2f_ids=tuple(dict.fromkeys(request.u2f_ids)),
        totp=request.totp,
        otp_email=request.otp_email,
        otp_sms=request.otp_sms,
        recovery_codes=request.recovery_codes,
    )
    link_from = await org_of(call, human, orgs) if request.send_passkey_link else None
    changed = await remove(human, lost, Afterwards(request.end_sessions, link_from), actor=call.caller.user_id)
    return pb.RemoveCredentialsResponse(details=changed_details_of(changed))


class NewPasskey(NamedTuple):
    owner: AnyUser
    link_id: str


async def owner_of_new_passkey(
    context: RequestContext, request: pb.RegisterPasskeyRequest, *, accounts: MongoAccounts, links: PasskeyLinks
) -> Target[NewPasskey]:
    """Finds the user; the code of a registration link gives the caller the user's own permissions."""
    target = await named_user(context, request, accounts=accounts)
    code, owner = Link(request.code.id, request.code.code), target.subject
    shown = request.HasField("code") and isinstance(owner, EndUser) and await links.is_right(owner, code)
    return Target(
        target.org_id,
        NewPasskey(target.subject, code.id if shown else ""),
        target.absent,
        user_id=context.caller.user_id if shown else target.user_id,
    )


async def owner_of_begun_passkey(
    context: RequestContext,
    request: pb.VerifyPasskeyRegistrationRequest,
    *,
    accounts: MongoAccounts,
    ceremonies: Ceremonies,
) -> Target[AnyUser]:
    """Finds the user; a caller who started with a registration link may finish."""
    target = await named_user(context, request, accounts=accounts)
    if await ceremonies.is_by_link(request.passkey_id, target.subject.id, context.caller.user_id):
        return dataclasses.replace(target, user_id=context.caller.user_id)
    return target
