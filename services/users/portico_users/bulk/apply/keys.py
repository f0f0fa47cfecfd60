"""Reads the keys of an application or a service user."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from portico_contracts.apply import Key
from portico_oauth.errors import ServiceError

from portico_users.bulk.apply.plan import Plan
from portico_users.directory.client_keys.assertion_keys import AssertionKey, jwk_of, key_of, thumbprint, with_keys
from portico_users.kernel.journal import ID_TAKEN
from portico_users.kernel.names import INVALID_ID, is_id
from portico_users.kernel.problems import at
from portico_users.kernel.timestamps import IN_THE_PAST, unix_seconds


async def plan_keys(
    plan: Plan, before: Sequence[AssertionKey], wanted: Sequence[Key] | None, path: str
) -> tuple[AssertionKey, ...]:
    """All keys the owner will have: the stored ones with the wanted ones set, by kid.

    Args:
        before: the keys the owner has.
        path: place of the owner in the document.

    Raises:
        ServiceError: naming the place, when a key may not be so, or its kid belongs to something else.
    """
    if wanted is None:
        return tuple(before)
    stored = plan.stored
    known = {key.kid: key for key in before}
    keys: dict[str, AssertionKey] = {}
    for number, one in enumerate(wanted):
        place = f"{path}.keys[{number}]"
        key = _read(one, place)
        if key.kid in keys or (key.kid not in known and not await stored.ids.is_free(key.kid)):
            raise at(f"{place}.id" if one.id else place, ID_TAKEN.error())
        # Only a new key has to be of use: an end in the past is how a key is ended at once.
        if key.kid not in known and 0 < key.expires_at <= stored.clock.now():
            raise at(f"{place}.expirationDate", IN_THE_PAST.error())
        same = known.get(key.kid)
        created = same.created if same and same.jwk == key.jwk else stored.clock.now()
        keys[key.kid] = msgspec.structs.replace(key, created=created)
    together = with_keys(before, keys.values())
    return tuple(key for key in together if key.kid in keys) if plan.prune else together


def _read(wanted: Key, place: str) -> AssertionKey:
    if wanted.id is not None and not is_id(wanted.id):
        raise at(f"{place}.id", INVALID_ID.error())
    try:
        jwk = jwk_of(wanted.public_key)
    except ServiceError as error:
        raise at(f"{place}.publicKey", error) from None
    kid = wanted.id or thumbprint(jwk)
    return key_of(kid, wanted.public_key, created=0.0, expires_at=_expiry(wanted, place))


def _expiry(wanted: Key, place: str) -> float:
    if not wanted.expiration_date:
        return 0.0
    try:
        # What is kept as 0 never ends, and 1970 is over.
        return max(unix_seconds(wanted.expiration_date), 1.0)
    except ServiceError as error:
        raise at(f"{place}.expirationDate", error) from None
