"""Changes of humans, as entries for the journal; resets, after which nothing can be completed that was begun before."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from portico_users.end_users.email_address import settled
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.rules import problems_of
from portico_users.end_users.store import HUMANS
from portico_users.storage.entry import Entry, Work
from portico_users.values.problems import refuse_first


def counted(before: EndUser | None, after: EndUser) -> EndUser:
    """Counts one more reset if the change removes or replaces a factor, password or address.

    That voids registrations, links and codes that an attacker may have obtained before. Links in notices and
    their codes stay valid: with them an owner recovers the account from an attacker who reset it.
    """
    return with_reset(before, after) if before is not None and _takes_away(before, after) else after


def with_reset(before: EndUser, after: EndUser) -> EndUser:
    """Increments the reset counter, once per change, and clears a pending address."""
    pending = after.pending_email if after.pending_email != before.pending_email else ""
    return msgspec.structs.replace(after, resets=before.resets + 1, pending_email=pending)


def _takes_away(before: EndUser, after: EndUser) -> bool:
    keys, links = {key.id for key in after.security_keys}, {link.key for link in after.idp_links}
    return (
        before.email != after.email
        or any(key.id not in keys for key in before.security_keys)
        or any(link.key not in links for link in before.idp_links)
        or (before.has_totp and not after.has_totp)
        or (before.has_otp_email and not after.has_otp_email)
        or (before.has_otp_sms and not after.has_otp_sms)
        or (before.recovery_codes > 0 and after.recovery_codes == 0)
    )


def put_end_user(before: EndUser | None, after: EndUser, *, side_writes: Sequence[Work] = ()) -> Entry[EndUser]:
    refuse_first(problems_of(after, before))
    return Entry(HUMANS, before, counted(before, settled(before, after)), side_writes=tuple(side_writes))


def put_valid_end_user(human: EndUser) -> Entry[EndUser]:
    """A new user in whom `problems_of` finds none."""
    return Entry(HUMANS, None, settled(None, human))
