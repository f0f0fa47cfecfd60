from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from portico_contracts.users import RowOutcome, RowProblem
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.credentials.passwords.hash_counts import costly_seconds
from portico_users.credentials.passwords.hash_wrappings import unwrapped
from portico_users.credentials.passwords.imported_hashes import describe
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import CodeRequest
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.end_user import ProofKind
from portico_users.end_users.idp_links import IdpLink
from portico_users.end_users.new_end_user import NewEndUser, PlannedEndUser
from portico_users.organizations.org import Org
from portico_users.user_import.orgs_of_rows import OrgsOfRows
from portico_users.user_import.row_format import RowBody, RowEmail, read_row_body

NO_ORG = ErrorCode(
    "USER-838",
    Kind.INVALID_REQUEST,
    "This row has no organization.",
    "Add organisation with orgId or orgDomain, or set one for all rows with --organization.",
)
OTHER_ORG = ErrorCode(
    "USER-846",
    Kind.INVALID_REQUEST,
    "This row has another organization.",
    "Remove organisation, or import the row in its organization.",
)
NO_RETURNED_CODES = ErrorCode(
    "USER-839",
    Kind.INVALID_REQUEST,
    "An import cannot return verification codes.",
    "Use isVerified or sendCode, or omit both.",
)
NO_SENT_TEXTS = ErrorCode(
    "USER-176",
    Kind.FAILED_PRECONDITION,
    "An import sends no text messages.",
    "Omit sendCode. Users can verify the phone number on their account page.",
)


@dataclass(slots=True)
class Row:
    """A parsed row; ``hash_seconds`` is the verification time of the hash on this machine, if worth reporting."""

    new: NewEndUser | None = None
    org: Org | None = None
    planned: PlannedEndUser | None = None
    groups: tuple[str, ...] = ()
    problems: list[RowProblem] = field(default_factory=list)
    signs_in_by: str = ""
    hash_seconds: float = 0.0

    def refuse(self, error: ServiceError, field: str = "") -> None:
        if error.kind is Kind.UNAVAILABLE:
            raise error
        violations = error.violations or ()
        self.problems += [RowProblem(field=one.field, id=error.id, text=one.translated()) for one in violations]
        if not violations:
            self.problems.append(RowProblem(field=field, id=error.id, text=error.text))

    def outcome(self, status: str, user_id: str = "") -> RowOutcome:
        new = self.new
        outcome = RowOutcome(status=status, user_id=user_id, problems=tuple(self.problems))
        if new is None:
            return outcome
        return msgspec.structs.replace(
            outcome,
            user_name=new.user_name or new.email,
            org_id=self.org.id if self.org else "",
            signs_in_by=self.signs_in_by,
            metadata=len(new.metadata),
            idp_links=len(new.idp_links),
            email_verified=new.email_proof is not None,
            hash_seconds=self.hash_seconds,
            totp=bool(new.totp_secret),
        )


async def read_row(create_human: CreateEndUser, orgs: OrgsOfRows, text: str, org_id: str, only_org: str = "") -> Row:
    """Parses and validates a row; writes nothing.

    ``org_id`` is the organization of rows that name none, ``only_org`` the only one allowed.
    """
    row = Row()
    try:
        body = read_row_body(text)
    except ServiceError as error:
        row.refuse(error)
        return row
    if only_org and names_other_org(body, only_org):
        row.refuse(OTHER_ORG.error(), "organisation")
        return row
    row.org = await _find_org(orgs, row, body, org_id)
    _refuse_choices(row, body)
    row.new, row.groups = new_end_user(body), body.groups
    hash = unwrapped(body.hashed_password.hash) if body.hashed_password else ""
    row.signs_in_by = (describe(hash) or "a hash of an unknown kind") if hash else "password" if body.password else ""
    if row.org is not None:
        await _find_problems(create_human, row, row.org, row.new)
        if not row.problems:
            row.hash_seconds = await costly_seconds(create_human.passwords.pool, hash)
    return row


def names_other_org(body: RowBody, org_id: str) -> bool:
    named = body.organisation
    return named is not None and (bool(named.org_domain) or named.org_id != org_id)


async def _find_problems(create_human: CreateEndUser, row: Row, org: Org, new: NewEndUser) -> None:
    async for problem in create_human.problems(org, new, imported=True):
        row.refuse(problem)
    if not row.problems:
        try:
            row.planned = create_human.plan_valid(org, new)
        except ServiceError as error:
            row.refuse(error)


async def _find_org(orgs: OrgsOfRows, row: Row, body: RowBody, org_id: str) -> Org | None:
    named = body.organisation
    wanted_id, domain = (named.org_id or "", named.org_domain or "") if named else ("", "")
    if not (wanted_id or domain or org_id):
        row.refuse(NO_ORG.error(), "organisation")
        return None
    try:
        return await orgs.find_named(wanted_id if wanted_id or domain else org_id, domain)
    except ServiceError as error:
        row.refuse(error, "organisation")
        return None


def _refuse_choices(row: Row, body: RowBody) -> None:
    if body.email.return_code:
        row.refuse(NO_RETURNED_CODES.error(), "email.returnCode")
    if body.phone and body.phone.return_code:
        row.refuse(NO_RETURNED_CODES.error(), "phone.returnCode")
    if body.phone and body.phone.send_code:
        row.refuse(NO_SENT_TEXTS.error(), "phone.sendCode")


def new_end_user(body: RowBody) -> NewEndUser:
    return NewEndUser(
        id=body.user_id,
        user_name=body.username or "",
        profile=body.profile,
        email=body.email.email,
        email_proof=ProofKind.ASSERTED if body.email.is_verified else None,
        phone=body.phone.phone if body.phone else "",
        phone_verified=body.phone is not None and body.phone.is_verified,
        attributes=body.attributes,
        metadata=[(one.key, one.value) for one in body.metadata],
        password=body.password or body.hashed_password,
        totp_secret=body.totp_secret or "",
        idp_links=tuple(
            IdpLink(idp_id=one.idp_id, user_id=one.user_id, user_name=one.user_name) for one in body.idp_links
        ),
        codes=_codes(body.email),
    )


def _codes(email: RowEmail) -> tuple[CodeRequest, ...]:
    """Sends no code by default, because an import may have thousands of users."""
    if email.send_code is None:
        return ()
    place = "email.sendCode.urlTemplate"
    return (CodeRequest(Subject.EMAIL, url_template=email.send_code.url_template or "", place=place),)
