"""Recovers an account whose owner disputes a change reported by email (decision 0058).

The link in the notice revokes all sessions and grants. A code to the address that received the notice then
sets a new password and restores that address, whatever was changed in between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import structlog
from portico_contracts.apply import Password
from portico_contracts.users import BeginRecovery, RecoveryBegun
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_runtime.mongo.client import MongoClient, Session
from portico_runtime.process.clock import Clock

from portico_users.accounts.queries import AccountQueries
from portico_users.credentials.revocations import Revocations
from portico_users.end_users.codes.challenge import Challenge, Purpose, Subject
from portico_users.end_users.codes.challenges import Challenges, message_about
from portico_users.end_users.codes.user_codes import WRONG_CODE
from portico_users.end_users.commands.former_ways_in import FormerWaysIn
from portico_users.end_users.commands.set_password import NewPassword, SetPassword
from portico_users.end_users.email_address import may_recover, with_recovered_address
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.notifications.email.queue import commit_waking
from portico_users.notifications.notices.notice_links import NoticeLink, NoticeLinks, notice_link_claim
from portico_users.organizations.org import Org
from portico_users.policies.first_factors import FirstFactors
from portico_users.storage.entry import Work
from portico_users.values.problems import ALREADY_USED

log = structlog.get_logger("portico.recovery")

WRONG_LINK = ErrorCode(
    "USER-684",
    Kind.INVALID_REQUEST,
    "This link was already used, or is no longer valid.",
    "Request a new password, or contact your organization. The link of a notice works once, within 7 days.",
)


@dataclass(frozen=True, slots=True)
class RecoverAccount(Command):
    mongo: MongoClient
    clock: Clock
    links: NoticeLinks
    accounts: AccountQueries
    first_factors: FirstFactors
    challenges: Challenges
    revocations: Revocations
    password: SetPassword
    former: FormerWaysIn
    commit: Commit

    async def begin(self, ask: BeginRecovery) -> RecoveryBegun:
        """Revokes all sessions and grants, and sends the code unless the organization or one-day wait forbids it.

        Where the organization sends no codes, what the attacker added is removed now. The revocation is stored with
        the use of the link; if authz or token do not respond, a background task completes it.
        """
        link = await self.links.find(ask.code)
        found = await self.accounts.find_end_user(link.user_id) if link else None
        if link is None or found is None or not may_recover(found[0], link.mail):
            raise WRONG_LINK.error()
        human, org = found
        waits = self.clock.now() < link.not_before
        sends = not waits and await self.first_factors.lets_set_password(human, org)
        challenge, code = self._code(human, org, link, ask.languages) if sends else ("", None)
        if sends or waits or not await self._remove_added(human, link):
            await self._write(link, code, keeps_link=waits)
        try:
            await self.revocations.complete(human.id)
        except ServiceError as error:
            log.warning("sessions not ended yet", user_id=human.id, error_code=error.id)
        return RecoveryBegun(challenge=challenge, waits=waits)

    async def finish(self, human: EndUser, challenge: Challenge, text: str) -> None:
        """Sets the password and restores the address; all other links and codes of the account become invalid.

        Removes what was added since the session of the disputed change began: an attacker could sign in with it,
        or it is requested of the owner. Earlier second factors stay, because access to a mailbox must not suffice
        to remove them.
        """
        mail = challenge.purpose.mail
        if not may_recover(human, mail):
            raise WRONG_CODE.error(cause="another address")
        purpose, restored = challenge.purpose, with_recovered_address(human, mail)
        recovered = await self.former.plan(human, restored, purpose.event_id, purpose.since)
        new = NewPassword(Password(password=text), challenge, "newPassword")
        entry = await self.password.add_to(recovered, new)
        forgotten = (self.challenges.forget(human.id, Subject.EMAIL, Subject.NEW_EMAIL), self.links.forget(human.id))
        entry = replace(entry, side_writes=(*entry.side_writes, *forgotten))
        await self.password.finish(await self.commit(entry, actor=human.id))

    def _code(self, human: EndUser, org: Org, link: NoticeLink, languages: tuple[str, ...]) -> tuple[str, Work]:
        purpose = Purpose(
            mail=link.mail,
            to=link.mail,
            org_name=org.name,
            org_id="",
            user_id=human.id,
            subject=Subject.RECOVERY,
            login_name=human.user_name,
            event_id=link.event_id,
            since=link.since,
        )
        self.challenges.require_email_queue()
        secret = self.challenges.new_secret()
        message = message_about(purpose, secret.code, self.challenges.issuer, (human.preferred_language, *languages))
        return secret.name, self.challenges.write(purpose, secret, message)

    async def _remove_added(self, human: EndUser, link: NoticeLink) -> bool:
        """Uses up the link with the removal; False where nothing was added."""
        entry = await self.former.plan(human, human, link.event_id, link.since)
        if entry.after == human:
            return False
        revocation = self.revocations.request_revocation(human.id, sessions=True)
        entry = replace(entry, attachments=(revocation,), claims=(*entry.claims, notice_link_claim(link)))
        try:
            await self.commit(entry, actor=human.id)
        except ServiceError as error:
            raise (WRONG_LINK.error(cause=error.id) if error.id == ALREADY_USED.id else error) from None
        return True

    async def _write(self, link: NoticeLink, code: Work | None, *, keeps_link: bool) -> None:
        """Uses up the link, requests the revocation and enqueues the code in one transaction."""
        claim, revocation = notice_link_claim(link), self.revocations.request_revocation(link.user_id, sessions=True)

        async def write(session: Session) -> None:
            database = self.mongo.database
            if not keeps_link:
                taken = await database[claim.collection].delete_one({"_id": claim.id}, session=session)
                if taken.deleted_count != 1:
                    raise WRONG_LINK.error(cause=ALREADY_USED.id)
            await database[revocation.collection].replace_one(
                {"_id": revocation.id}, revocation.values_by(link.user_id), upsert=True, session=session
            )
            if code:
                await code(session)

        await commit_waking(self.challenges.email_queue if code else None, self.mongo, write)
