"""Creates the first administrator with a one-time link, or a new one after all lost access (decision 0057).

Everything is written at the end: administrator, role, credentials and use of the link, in one transaction.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

import msgspec
from portico_contracts.apply import Password, Profile
from portico_contracts.http import FIRST_RUN_PAGE
from portico_contracts.users import Factor, GetLoginPolicy
from portico_contracts.users.first_run import (
    BeginFirstRun,
    CreateFirstRunLink,
    FinishFirstRun,
    FirstOwner,
    FirstRun,
    FirstRunBegun,
    FirstRunFinished,
    FirstRunLinkCreated,
    GetFirstRun,
)
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import RandomBytes, b64url, equal_in_constant_time, fingerprint
from portico_oauth.typed_text import code_letters

from portico_users.accounts.account import Account, as_user, readable_login_name
from portico_users.accounts.edit_accounts import Beside
from portico_users.accounts.queries import AccountQueries
from portico_users.administrators.edit_members import SetMember
from portico_users.administrators.member import MongoMembers
from portico_users.administrators.permissions import INSTANCE_OWNER
from portico_users.credentials.enrolling import NOT_ACCEPTED
from portico_users.credentials.passkey_links import read_credential
from portico_users.credentials.recovery_codes import RECOVERY_CODES, derived_codes, hashes_of
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.credentials.totp.edit_totp import TOTP_NOT_FOUND, VerifyTotpRegistration
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.edit_passkeys import (
    KEY_NOT_FOUND,
    CredentialRequest,
    NewCredential,
    RegisterCredential,
    VerifyCredential,
)
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.credential_changes import RECOVERY_HASHES
from portico_users.end_users.end_user import EndUser, ProofKind, can_authenticate
from portico_users.end_users.new_end_user import NewEndUser
from portico_users.first_run.first_run_links import ATTEMPT, CODE_BYTES, FirstRunLink, FirstRunLinks, user_id_of
from portico_users.journal.command import Command, Commit
from portico_users.organizations.edit_organizations import AddOrg
from portico_users.organizations.org import Org
from portico_users.policies.login_policies import LoginPolicies
from portico_users.storage.entry import Attachment, Entry
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import ALREADY_USED, ID_TAKEN

LINK_INVALID = ErrorCode(
    "USER-942",
    Kind.FAILED_PRECONDITION,
    "This first-run link was already used, or is no longer valid.",
    "Create another link with `portico first-run`. Each link works once, within an hour.",
)
HAS_OWNER = ErrorCode(
    "USER-943",
    Kind.FAILED_PRECONDITION,
    "This installation already has an administrator who can sign in.",
    "Sign in as an administrator. If none can sign in, use `portico first-run --recover`.",
)

_OFFERED: Final = (Factor.PASSKEY, Factor.TOTP)
_OVERTAKEN: Final = (
    ALREADY_USED.id, ID_TAKEN.id, TOTP_NOT_FOUND.id, KEY_NOT_FOUND.id, LINK_INVALID.id, HAS_OWNER.id,
)  # fmt: skip
"""Errors if a concurrent submission of the same attempt was faster."""


@dataclass(frozen=True, slots=True)
class _Planned:
    org: Org
    new_org: tuple[Entry[Org], ...]
    new: NewEndUser

    @property
    def human(self) -> EndUser:
        return self.new.as_end_user(self.new.id or "", self.org.id)


@dataclass(frozen=True, slots=True)
class FirstRuns(Command):
    links: FirstRunLinks
    members: MongoMembers
    accounts: AccountQueries
    policies: LoginPolicies
    add_org: AddOrg
    create_human: CreateEndUser
    set_member: SetMember
    totp: TotpAuthenticators
    verify_totp: VerifyTotpRegistration
    register_key: RegisterCredential
    verify_key: VerifyCredential
    commit: Commit
    random: RandomBytes
    issuer: Issuer

    async def create_link(self, ask: CreateFirstRunLink) -> FirstRunLinkCreated:
        if not ask.recover and await self._has_owner():
            raise HAS_OWNER.error()
        link = await self.links.create(recover=ask.recover)
        address = f"{self.issuer}{FIRST_RUN_PAGE}?code={link.code}"
        return FirstRunLinkCreated(address=address, expires_at=link.expires_at)

    async def get(self, ask: GetFirstRun) -> FirstRun:
        await self._load_open(ask.code)
        org = await self.policies.find_default()
        policy = await self.policies.get_login_policy(GetLoginPolicy(org_id=org.id if org else ""))
        usable = {
            Factor.PASSKEY: policy.passkey_sign_in,
            Factor.TOTP: policy.password_sign_in or policy.exempt_owners,  # comes with a password
        }
        factors = tuple(factor for factor in _OFFERED if factor in policy.factors and usable[factor])
        # A login policy without both factors must not prevent creating an administrator; the first factor suffices to
        # sign in.
        return FirstRun(
            factors=factors or _OFFERED, needs_organization=org is None, password_rules=policy.password_rules
        )

    async def begin(self, ask: BeginFirstRun) -> FirstRunBegun:
        link, first = await self._load_open(ask.code), await self.get(GetFirstRun(code=ask.code))
        if ask.factor not in first.factors:
            raise NOT_ACCEPTED.error(factor=ask.factor.value)
        attempt = ask.attempt if len(ask.attempt) == ATTEMPT else b64url(self.random(CODE_BYTES))
        planned = await self._plan(ask.owner, attempt)
        await self.create_human.plan(planned.org, planned.new, _beside(planned))
        name = readable_login_name(planned.human, planned.org)
        if ask.factor is Factor.TOTP:
            app = await self.totp.resume(planned.human, name, begun_by=link.hash)
            return FirstRunBegun(attempt=attempt, uri=app.uri, secret=app.secret)
        key = await self.register_key(planned.human, name, CredentialRequest(Use.PASSKEY, begun_by=link.hash))
        options = json.dumps(key.options, separators=(",", ":"))
        return FirstRunBegun(attempt=attempt, registration=key.id, options=options)

    async def finish(self, ask: FinishFirstRun) -> FirstRunFinished:
        """Creates the administrator. Idempotent, but only the first response has the user."""
        if repeated := await self._repeated(ask):
            return repeated
        try:
            return await self._create(ask)
        except ServiceError as error:
            # A concurrent identical request may have succeeded.
            if error.id in _OVERTAKEN and (repeated := await self._repeated(ask, settled=True)):
                return repeated
            if error.id in (ALREADY_USED.id, ID_TAKEN.id):
                raise LINK_INVALID.error() from None
            raise

    async def _create(self, ask: FinishFirstRun) -> FirstRunFinished:
        link = await self._load_open(ask.code)
        planned = await self._plan(ask.owner, ask.attempt)
        codes = derived_codes(ask.attempt) if ask.factor is Factor.TOTP else ()
        with_password = replace(planned.new, password=Password(password=ask.password)) if codes else planned.new
        valid = await self.create_human.plan(planned.org, with_password, _beside(planned))
        entry = await self._with_credential(valid.entry, ask, link)
        if codes:
            entry = _with_codes(entry, codes)
        used = self.links.completion(link, planned.human.id, _response(ask))
        entry = replace(entry, side_writes=(*entry.side_writes, used))
        human = await self.create_human.hash_password(replace(valid, entry=entry))
        members, _ = await self.set_member.plan_own(human.after, (INSTANCE_OWNER,), is_new=True)
        await self.commit.all((*planned.new_org, human, *members), actor=human.after.id)
        found = await self.accounts.find_end_user(human.after.id)
        user = as_user(Account(*found)) if found else None
        bound = ask.factor is Factor.PASSKEY and await self.verify_key.keys.are_device_bound(human.after.id)
        return FirstRunFinished(login_name=human.after.user_name, recovery_codes=codes, user=user, device_bound=bound)

    async def _with_credential(self, entry: Entry[EndUser], ask: FinishFirstRun, link: FirstRunLink) -> Entry[EndUser]:
        if ask.factor is Factor.TOTP:
            change = await self.verify_totp.plan(entry.after, ask.otp, begun_by=link.hash)
        elif ask.factor is Factor.PASSKEY:
            new = NewCredential(ask.registration, read_credential(ask.credential), only_passkey=True)
            change = await self.verify_key.plan(entry.after, Use.PASSKEY, new, begun_by=link.hash)
        else:
            raise NOT_ACCEPTED.error(factor=ask.factor.value)
        return replace(
            entry,
            after=change.after,
            attachments=(*entry.attachments, *change.attachments),
            attached=(*entry.attached, *change.attached),
            claims=(*entry.claims, *change.claims),
        )

    async def _plan(self, owner: FirstOwner, attempt: str) -> _Planned:
        new_org: tuple[Entry[Org], ...] = ()
        org = await self.policies.find_default()
        if org is None:
            named = Org(id="", org_id="", name=owner.organization, primary_domain="")
            new_org = (await self.add_org.plan(named),)
            org = new_org[0].after
        new = NewEndUser(
            id=user_id_of(attempt),
            profile=Profile(first_name=owner.first_name, last_name=owner.last_name),
            email=owner.email,
            # The owner of the link acts for the operator, and there may be no mail server yet.
            email_proof=ProofKind.ASSERTED,
            owns_instance=True,
        )
        return _Planned(org, new_org, new)

    async def _repeated(self, ask: FinishFirstRun, *, settled: bool = False) -> FirstRunFinished | None:
        link = await self.links.find(ask.code, settled=settled)
        if link is None or not link.response or not equal_in_constant_time(link.response, _response(ask)):
            return None
        found = await self.accounts.find_end_user(link.user_id)
        if found is None:
            return None
        codes = derived_codes(ask.attempt) if ask.factor is Factor.TOTP else ()
        return FirstRunFinished(login_name=found[0].user_name, recovery_codes=codes)

    async def _load_open(self, code: str) -> FirstRunLink:
        link = await self.links.find(code)
        if link is None or link.response:
            raise LINK_INVALID.error()
        if not link.recover and await self._has_owner():
            raise HAS_OWNER.error()
        return link

    async def _has_owner(self) -> bool:
        for member in await self.members.list_owners():
            found = await self.accounts.find_end_user(member.user_id)
            if found is not None and can_authenticate(found[0]):
                return True
        return False


def _beside(planned: _Planned) -> Beside:
    return Beside(orgs={entry.after.id: entry.after for entry in planned.new_org})


def _with_codes(entry: Entry[EndUser], codes: tuple[str, ...]) -> Entry[EndUser]:
    """Adds recovery codes for a second factor; a passkey needs none."""
    human = entry.after
    hashes = hashes_of(human.id, codes)
    return replace(
        entry,
        after=msgspec.structs.replace(human, recovery_codes=len(hashes)),
        attachments=(*entry.attachments, Attachment(RECOVERY_CODES, human.id, {"hashes": hashes})),
        attached=(*entry.attached, RECOVERY_HASHES),
    )


def _response(ask: FinishFirstRun) -> str:
    """Returns a hash that identifies a repeated submission; the random attempt id protects it against guessing."""
    return fingerprint("\n".join((ask.attempt, ask.factor, ask.password, code_letters(ask.otp), ask.credential)))
