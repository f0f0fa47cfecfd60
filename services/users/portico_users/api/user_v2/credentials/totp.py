"""Authenticator apps (TOTP, RFC 6238)."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of, login_name_of
from portico_users.commands.credentials.totp import RegisterTotp
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.organizations.store import MongoOrgs


async def register_totp(
    call: Call[AnyUser], _request: pb.RegisterTOTPRequest, *, register: RegisterTotp, orgs: MongoOrgs
) -> pb.RegisterTOTPResponse:
    """Begins a registration; USER-506, USER-510, USER-606."""
    human = human_of(call)
    begun = await register(human, await login_name_of(call, human, orgs), actor=call.caller.user_id)
    return pb.RegisterTOTPResponse(details=changed_details_of(human), uri=begun.uri, secret=begun.secret)
