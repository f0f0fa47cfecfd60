"""Codes that prove who reads an address: kept as a hash, together with the address they are for (HH-08)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from portico_oauth.opaque import RandomBytes, fingerprint
from portico_runtime.clock import Clock
from pymongo import ASCENDING, IndexModel

from portico_users.domain.names import canonical
from portico_users.domain.problems import at
from portico_users.humans.human import Human
from portico_users.humans.mail_codes import CodeWish, PlannedCode
from portico_users.humans.url_templates import TEMPLATE_REFUSED, is_url_template
from portico_users.journal.entry import Attachment
from portico_users.journal.schema import Indexes

CODES: Final = "mailCodes"
CODE_INDEXES: Final[Indexes] = {CODES: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)}
LIFETIME: Final = 3_600.0
LENGTH: Final = 6
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""32 of them, so that every byte is fair; without those that look alike."""


@dataclass(frozen=True, slots=True)
class KeptCodes:
    """Makes codes; see `portico_users.humans.mail_codes.MailCodes`."""

    clock: Clock
    random: RandomBytes

    def plan(self, human: Human, wish: CodeWish) -> PlannedCode:
        """See `MailCodes.plan`; the refusal is USER-331."""
        if wish.url_template and not is_url_template(wish.url_template):
            raise at("email.sendCode.urlTemplate", TEMPLATE_REFUSED.refusal())
        code = "".join(_LETTERS[byte % len(_LETTERS)] for byte in self.random(LENGTH))
        ends = self.clock.now() + LIFETIME
        row = {
            "hash": fingerprint(f"{human.id}\n{canonical(human.email)}\n{code}"),
            "mailKey": canonical(human.email),
            "guesses": 0,
            "endsAt": ends,
            "forgetAt": datetime.fromtimestamp(ends, UTC),
        }
        return PlannedCode(code if wish.returned else "", (Attachment(CODES, human.id, row),))
