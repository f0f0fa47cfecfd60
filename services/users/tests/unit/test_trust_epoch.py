"""Changes that end the trust in devices (decision 0100)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from portico_fakes.clock import FrozenClock
from portico_users.end_users.credential_changes import PASSWORD, RECOVERY_HASHES, RECOVERY_USED
from portico_users.end_users.end_user import EmailProof, EndUser, ProofKind, SecurityKey
from portico_users.end_users.idp_links import IdpLink
from portico_users.end_users.store import HUMANS
from portico_users.journal.event_recorder import EventRecorder
from portico_users.storage.entry import Entry
from portico_users.values.records import State

KEY = SecurityKey(id="key", name="Blue")
ADA = EndUser(
    id="u-ada",
    org_id="org-1",
    user_name="ada",
    first_name="Ada",
    last_name="Lovelace",
    display_name="Ada Lovelace",
    email="ada@example.test",
    email_verified=True,
    email_proof=EmailProof(kind=ProofKind.PROVEN, at=1.0),
    has_password=True,
    security_keys=(KEY,),
    recovery_codes=10,
    trust_epoch=4,
)

ENDING: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "password": ({}, (PASSWORD,)),
    "key added": ({"security_keys": (KEY, SecurityKey(id="other", name="Red"))}, ()),
    "key removed": ({"security_keys": ()}, ()),
    "authenticator app added": ({"has_totp": True}, ("totpSecret",)),
    "email codes added": ({"has_otp_email": True}, ()),
    "recovery codes generated": ({}, (RECOVERY_HASHES,)),
    "recovery codes removed": ({"recovery_codes": 0}, (RECOVERY_HASHES,)),
    "address": ({"email": "ada@other.test"}, ()),
    "linked identity": ({"idp_links": (IdpLink(idp_id="idp", user_id="x", user_name="x"),)}, ()),
    "locked": ({"state": State.LOCKED}, ()),
    "deactivated": ({"state": State.INACTIVE}, ()),
}
OTHERS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "name": ({"first_name": "Augusta"}, ()),
    "recovery code used": ({"recovery_codes": 9}, (RECOVERY_HASHES, RECOVERY_USED)),
}


def epoch_after(fields: dict[str, Any], attached: tuple[str, ...]) -> int:
    recorder = EventRecorder(FrozenClock(), bytes)
    after = recorder.next_version(Entry(HUMANS, ADA, replace(ADA, **fields), attached=attached))
    assert isinstance(after, EndUser)
    return after.trust_epoch


def test_changes_of_credentials_and_state_end_the_trust() -> None:
    assert {name: epoch_after(*change) for name, change in ENDING.items()} == dict.fromkeys(ENDING, 5)


@pytest.mark.parametrize("change", OTHERS)
def test_other_changes_keep_the_trust(change: str) -> None:
    assert epoch_after(*OTHERS[change]) == 4
