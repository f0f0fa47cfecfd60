"""The signing keys: as keys lists them, and what an administrator requests of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from portico_contracts.generated.portico.admin.v1 import signing_key_service_pb2 as pb
from portico_contracts.keys import KEY_STATES, GetKeyStates, KeyState

from portico_users.api.shared.details import timestamp_of
from portico_users.api.shared.listing import details_of_list
from portico_users.api.transport.call import Call
from portico_users.commands.signing_keys import ChangeSigningKeys
from portico_users.directory.instance.instance import Instance
from portico_users.kernel.bus import Bus

_STATES: Final = {
    "made": pb.SIGNING_KEY_STATE_CREATED,
    "published": pb.SIGNING_KEY_STATE_PUBLISHED,
    "signing": pb.SIGNING_KEY_STATE_SIGNING,
    "retired": pb.SIGNING_KEY_STATE_RETIRED,
    "revoked": pb.SIGNING_KEY_STATE_REVOKED,
}


async def list_signing_keys(
    _call: Call[Instance], _request: pb.ListSigningKeysRequest, *, bus: Bus
) -> pb.ListSigningKeysResponse:
    """All keys that have not expired; `unavailable` when keys cannot be asked."""
    found = _messages((await bus.call(KEY_STATES, GetKeyStates())).keys)
    return pb.ListSigningKeysResponse(details=details_of_list(len(found)), result=found)


async def rotate_signing_keys(
    call: Call[Instance], request: pb.RotateSigningKeysRequest, *, change: ChangeSigningKeys
) -> pb.RotateSigningKeysResponse:
    """New keys, and all keys afterwards. Raises as `ChangeSigningKeys.rotate`."""
    keys = await change.rotate(request.alg, now=request.now, actor=call.caller.user_id)
    return pb.RotateSigningKeysResponse(result=_messages(keys))


async def revoke_signing_key(
    call: Call[Instance], request: pb.RevokeSigningKeyRequest, *, change: ChangeSigningKeys
) -> pb.RevokeSigningKeyResponse:
    """The keys without that one. Raises as `ChangeSigningKeys.revoke`."""
    keys = await change.revoke(request.kid, actor=call.caller.user_id)
    return pb.RevokeSigningKeyResponse(result=_messages(keys))


def _messages(keys: Iterable[KeyState]) -> list[pb.SigningKey]:
    # Within an algorithm they come newest first.
    return [_message(key) for key in sorted(keys, key=lambda one: one.alg)]


def _message(key: KeyState) -> pb.SigningKey:
    signs = bool(key.activates_at) and key.state != "revoked"
    return pb.SigningKey(
        kid=key.kid,
        alg=key.alg,
        state=_STATES.get(key.state, pb.SIGNING_KEY_STATE_UNSPECIFIED),
        since=timestamp_of(key.since),
        activation_date=timestamp_of(key.activates_at) if signs else None,
    )
