from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes, b64url, fingerprint
from portico_runtime.mongo.client import MongoClient, Rows, Session, guarded
from portico_runtime.process.clock import Clock
from portico_web.languages import pick_language
from pymongo import ASCENDING, IndexModel, ReturnDocument

from portico_users.credentials.texts import TextQueue
from portico_users.end_users.codes.challenge import (
    GUESSES,
    INVITE_SECONDS,
    SECONDS,
    Challenge,
    Purpose,
    Subject,
    code_hash,
)
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.notifications.email.queue import EmailQueue, Queued, commit_waking
from portico_users.notifications.email.text_message import TextMessage
from portico_users.storage.entry import Claim, Document, Work
from portico_users.storage.schema import Indexes, Schema
from portico_users.storage.transactions import run_transaction
from portico_users.values.code_forms import new_letters
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import ALREADY_USED
from portico_users.values.timestamps import within


def message_about(
    purpose: Purpose, code: str, issuer: str, languages: Sequence[str], *, link: str = ""
) -> EmailMessage:
    values = {"issuer": issuer, "organization": purpose.org_name, "code": code}
    if purpose.owner:
        template, more = EmailTemplate.ACCOUNT_EXISTS, {"login_name": purpose.owner}
        del values["code"]  # with an owner no email contains the code
    elif purpose.subject in (Subject.PASSWORD, Subject.RECOVERY):
        template, more = EmailTemplate.RESET_PASSWORD, {"login_name": purpose.login_name}
    elif purpose.subject is Subject.INVITE:
        template = EmailTemplate.INVITE
        more = {"login_name": purpose.login_name, "application": purpose.application or purpose.org_name}
        more["inviter"] = purpose.inviter
    else:
        user_name = purpose.applicant.user_name if purpose.applicant else purpose.mail
        template, more = EmailTemplate.VERIFY_EMAIL, {"login_name": "" if user_name == purpose.mail else user_name}
    if link:
        more["link"] = link
    language = pick_language(languages).tag
    return EmailMessage(
        template=template,
        to=purpose.to,
        language=language,
        values=values | more,
        org_id=purpose.org_id,
        user_id=purpose.user_id or purpose.owner_id,
    )


CHALLENGES: Final = "challenges"

CHALLENGE_INDEXES: Final[Indexes] = {
    CHALLENGES: (
        IndexModel([("purpose.userId", ASCENDING), ("purpose.subject", ASCENDING)]),
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
    )
}

EMAIL_OFF = ErrorCode(
    "USER-064",
    Kind.UNAVAILABLE,
    "Email addresses cannot be verified, because no mail server is configured.",
    "Ask the operator to set PORTICO_SMTP_HOST.",
)


@dataclass(frozen=True, slots=True)
class Secret:
    name: str = field(repr=False)
    code: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Challenges:
    mongo: MongoClient
    schema: Schema
    email_queue: EmailQueue | None
    text_queue: TextQueue | None
    clock: Clock
    random: RandomBytes
    issuer: Issuer

    def require_email_queue(self) -> EmailQueue:
        if self.email_queue is None:
            raise EMAIL_OFF.error()
        return self.email_queue

    async def open(self, purpose: Purpose, languages: Sequence[str], *, instead_of: Challenge | None = None) -> str:
        """Stores a challenge, enqueues its email and returns its name; the same work for all purposes (LG-01)."""
        email_queue = self.require_email_queue()
        self.schema.require()
        secret = self.new_secret()
        # If the address has an owner, the email contains no code, so nothing can be verified.
        message = message_about(purpose, secret.code, self.issuer, languages)
        write = self.write(purpose, secret, message, instead_of=instead_of)
        await commit_waking(email_queue, self.mongo, write)
        return secret.name

    async def open_decoy(self, name: str) -> None:
        """Stores a challenge that cannot be solved when there is no recipient (LG-01, P9)."""
        purpose = Purpose(mail="", to="", org_name="", org_id="", user_id="", subject=Subject.PASSWORD)
        async with guarded():
            await run_transaction(self.mongo, self.write(purpose, self.new_secret(name), None))

    def new_secret(self, name: str = "") -> Secret:
        return Secret(name or self.new_name(), new_letters(self.random))

    def new_name(self) -> str:
        """Returns 256 random bits."""
        return b64url(self.random(32))

    def write(
        self,
        purpose: Purpose,
        secret: Secret,
        message: Queued | None,
        *,
        instead_of: Challenge | None = None,
        kept: str = "",
    ) -> Work:
        """Returns the writes for the transaction of a change; ``message`` is None for a code that is not sent."""
        lasts = INVITE_SECONDS if purpose.subject is Subject.INVITE else SECONDS
        id, until = fingerprint(secret.name), self.clock.now() + lasts
        hash = code_hash(secret.name, secret.code)
        challenge = Challenge(id=id, purpose=purpose, code_hash=hash, expires_at=until, kept=kept)

        async def write(session: Session) -> None:
            gone = await self._make_room(session, purpose, instead_of)
            await self._withdraw(session, gone)
            await self._rows.insert_one(_row(challenge), session=session)
            if message:
                await self._require_queue_of(message).put(session, message, id=challenge.id, until=until)

        return write

    async def find(self, name: str) -> Challenge | None:
        """Finds an unexpired challenge, even without guesses left."""
        async with guarded():
            row = await self._rows.find_one({"_id": fingerprint(name), **self._in_time()})
        return _challenge(row) if row else None

    async def find_sealed(self, user_id: str, subject: Subject) -> Challenge | None:
        question = {"purpose.userId": user_id, "purpose.subject": subject.value, "kept": {"$gt": ""}, **self._in_time()}
        async with guarded():
            row = await self._rows.find_one(question)
        return _challenge(row) if row else None

    def forget(self, user_id: str, *subjects: Subject) -> Work:
        """Returns the writes that delete a user's codes for the subjects, with queued emails."""

        async def write(session: Session) -> None:
            named = {"$in": [subject.value for subject in subjects]}
            gone = await self._take(session, {"purpose.userId": user_id, "purpose.subject": named})
            await self._withdraw(session, gone)

        return write

    async def guess(self, name: str, most: int = GUESSES) -> Challenge | None:
        """Counts a guess before verification; None if none of `most` is left or the challenge is unknown (LG-07)."""
        question = {"_id": fingerprint(name), **self._in_time(), "guesses": {"$lt": most}}
        async with guarded():
            row = await self._rows.find_one_and_update(
                question, {"$inc": {"guesses": 1}}, return_document=ReturnDocument.AFTER
            )
        return _challenge(row) if row else None

    async def give_back(self, challenge: Challenge) -> None:
        """Undoes the count of a right code that was not used."""
        async with guarded():
            await self._rows.update_one({"_id": challenge.id}, {"$inc": {"guesses": -1}})

    async def drop(self, challenge: Challenge) -> None:
        async with guarded():
            await self._rows.delete_one({"_id": challenge.id})

    def _in_time(self) -> Document:
        """Filters for challenges that are not expired and not issued in the future; invitations are valid longer."""
        now, invite = self.clock.now(), Subject.INVITE.value
        return {
            "$or": [
                {"purpose.subject": {"$ne": invite}, "expiresAt": within(SECONDS, now)},
                {"purpose.subject": invite, "expiresAt": within(INVITE_SECONDS, now)},
            ]
        }

    @property
    def _rows(self) -> Rows:
        return self.mongo.database[CHALLENGES]

    def _require_queue_of(self, message: Queued) -> EmailQueue:
        if isinstance(message, TextMessage) and self.text_queue:
            return self.text_queue
        return self.require_email_queue()

    async def _withdraw(self, session: Session, ids: list[str]) -> None:
        if self.text_queue:  # it is there with and without a mail server
            await self.text_queue.withdraw(session, ids)

    async def _make_room(self, session: Session, purpose: Purpose, instead_of: Challenge | None) -> list[str]:
        gone: list[str] = []
        if instead_of is not None:
            gone = await self._take(session, {"_id": instead_of.id})
            if not gone:
                raise ALREADY_USED.error(part="challenge")
        # A registration replaces only itself: an earlier one with this address may be another person's.
        about = {"purpose.userId": purpose.user_id, "purpose.subject": purpose.subject.value}
        older = await self._take(session, about) if purpose.user_id else []
        return gone + older

    async def _take(self, session: Session, question: Document) -> list[str]:
        ids = [row["_id"] async for row in self._rows.find(question, {"_id": 1}, session=session)]
        await self._rows.delete_many({"_id": {"$in": ids}}, session=session)
        return ids


def claim_of(challenge: Challenge) -> Claim:
    """Returns the claim that uses up a challenge; of concurrent transactions only one succeeds."""
    return Claim(CHALLENGES, challenge.id)


def _row(challenge: Challenge) -> Document:
    row: Document = msgspec.to_builtins(challenge)
    row["_id"] = row.pop("id")
    return row | {"forgetAt": datetime.fromtimestamp(challenge.expires_at, UTC)}


def _challenge(row: Document) -> Challenge:
    return msgspec.convert({**row, "id": row["_id"]}, Challenge)
