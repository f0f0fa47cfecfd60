"""Whose passkey is it? The user's own, or that of somebody who sent a registration link."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.targets import named_user
from portico_users.credentials.webauthn.registration_links import Link
from portico_users.directory.accounts.account import AnyUser


class NewPasskey(NamedTuple):
    """A passkey that is to be registered.

    Attributes:
        link_id: of the link that allows it; empty without a code that is good.
    """

    owner: AnyUser
    link_id: str


async def owner_of_new_passkey(context: RequestContext, request: pb.RegisterPasskeyRequest) -> Target[NewPasskey]:
    """The user; whoever shows the code of a link may do what the user may."""
    target = await named_user(context, request, accounts=context.needs.accounts)
    code = Link(request.code.id, request.code.code)
    shown = request.HasField("code") and await context.needs.credentials.links.is_right(target.subject.id, code)
    return Target(
        target.org_id,
        NewPasskey(target.subject, code.id if shown else ""),
        target.absent,
        user_id=context.caller.user_id if shown else target.user_id,
    )


async def owner_of_begun_passkey(
    context: RequestContext, request: pb.VerifyPasskeyRegistrationRequest
) -> Target[AnyUser]:
    """The user; whoever began with a link may go on."""
    target = await named_user(context, request, accounts=context.needs.accounts)
    ceremonies = context.needs.credentials.keys.ceremonies
    if await ceremonies.is_by_link(request.passkey_id, target.subject.id, context.caller.user_id):
        return dataclasses.replace(target, user_id=context.caller.user_id)
    return target
