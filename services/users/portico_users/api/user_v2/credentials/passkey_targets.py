"""Finds the user a passkey is for, and whether a registration link permits it."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.targets import named_user
from portico_users.credentials.webauthn.ceremonies import Ceremonies
from portico_users.credentials.webauthn.registration_links import Link, PasskeyLinks
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.people.human import Human


class NewPasskey(NamedTuple):
    """A passkey whose registration is requested.

    Attributes:
        link_id: of the link that permits it; empty without a valid code.
    """

    owner: AnyUser
    link_id: str


async def owner_of_new_passkey(
    context: RequestContext, request: pb.RegisterPasskeyRequest, *, accounts: MongoAccounts, links: PasskeyLinks
) -> Target[NewPasskey]:
    """The user; a caller with the code of a link has the rights of the user here."""
    target = await named_user(context, request, accounts=accounts)
    code, owner = Link(request.code.id, request.code.code), target.subject
    shown = request.HasField("code") and isinstance(owner, Human) and await links.is_right(owner, code)
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
    """The user; a caller that began with a link may finish."""
    target = await named_user(context, request, accounts=accounts)
    if await ceremonies.is_by_link(request.passkey_id, target.subject.id, context.caller.user_id):
        return dataclasses.replace(target, user_id=context.caller.user_id)
    return target
