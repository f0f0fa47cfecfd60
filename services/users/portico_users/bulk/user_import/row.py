"""One row: what is recognised in it, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from portico_contracts.generated.portico.user.v2.user_service_pb2 import AddHumanUserRequest
from portico_contracts.users import RowOutcome, RowProblem
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_web.languages import ENGLISH

from portico_users.api.transport.call import Call, RequestContext, Target
from portico_users.api.transport.caller import Caller
from portico_users.api.transport.needs import Needs
from portico_users.api.transport.wire.encoded import JsonRequest
from portico_users.api.user_v2.users.add_human_user import human_of_request, org_of_new_user
from portico_users.api.user_v2.users.chosen_codes import Chosen, chosen_for_mail, chosen_for_phone, with_code
from portico_users.api.user_v2.users.idp_links import problems_of_links
from portico_users.credentials.passwords.hash_report import costly_seconds
from portico_users.credentials.passwords.imported_hashes import describe
from portico_users.directory.members.permissions import Permission
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.directory.people.rules import problems_of
from portico_users.kernel.journal import SYSTEM
from portico_users.kernel.problems import Problem

OPERATOR: Final = Caller(SYSTEM, "", frozenset(Permission), {})
"""Whoever types the command may do everything, and is no user."""

NO_ORG = ErrorCode(
    "USER-838",
    Kind.INVALID_REQUEST,
    "This row names no organization.",
    "Add organisation with orgId or orgDomain, or name one for all rows with --organization.",
)
NO_RETURNED_CODES = ErrorCode(
    "USER-839", Kind.INVALID_REQUEST, "An import returns no codes.", "Use isVerified or sendCode, or leave both out."
)


@dataclass(slots=True)
class Row:
    """A row that was looked at.

    Args:
        call: what creates it; None when there are problems.
        hash_seconds: how long the imported hash takes here, where that is so long that it should be known.
    """

    request: AddHumanUserRequest = field(default_factory=AddHumanUserRequest)
    problems: list[RowProblem] = field(default_factory=list)
    call: Call[Org] | None = None
    human: Human | None = None
    mail: Chosen = field(default_factory=Chosen)
    phone: Chosen = field(default_factory=Chosen)
    hash_seconds: float = 0.0

    def refuse(self, error: ServiceError, field: str = "") -> None:
        """Notes what a step refused."""
        if error.kind is Kind.UNAVAILABLE:
            raise error
        violations = error.violations or ()
        self.problems += [RowProblem(field=one.field, id=error.id, text=one.said()) for one in violations]
        if not violations:
            self.problems.append(RowProblem(field=field, id=error.id, text=error.text))

    def outcome(self, status: str, user_id: str = "") -> RowOutcome:
        """What is answered about it."""
        request, human = self.request, self.human
        return RowOutcome(
            status=status,
            user_id=user_id,
            problems=tuple(self.problems),
            user_name=human.user_name if human else request.username or request.email.email,
            org_id=human.org_id if human else "",
            signs_in_by=_proof(request),
            metadata=len(request.metadata),
            idp_links=len(request.idp_links),
            email_verified=self.mail.vouched,
            hash_seconds=self.hash_seconds,
        )


async def read_row(needs: Needs, text: str, org_id: str) -> Row:
    """Looks at a row; reads only.

    Args:
        org_id: the organization of rows that name none.

    Raises:
        ServiceError: `unavailable`.
    """
    row = Row()
    try:
        JsonRequest(text.encode()).fill(row.request)
    except ServiceError as error:
        row.refuse(error)
        return row
    org = await _find_org(needs, row, org_id)
    _choose(needs, row)
    if org is not None:
        await _look_at_human(needs, row, org)
    if not row.problems and org is not None:
        row.hash_seconds = await costly_seconds(needs.pool, row.request.hashed_password.hash)
        row.call = Call(OPERATOR, org, needs, ENGLISH)
    return row


async def _find_org(needs: Needs, row: Row, org_id: str) -> Target[Org] | None:
    named = row.request.organisation
    if not (named.org_id or named.org_domain or org_id):
        row.refuse(NO_ORG.error(), "organisation")
        return None
    try:
        return await org_of_new_user(RequestContext(OPERATOR, (org_id,) if org_id else (), needs), row.request)
    except ServiceError as error:
        row.refuse(error, "organisation")
        return None


def _choose(needs: Needs, row: Row) -> None:
    """How address and number are verified. Without a word nothing is sent, to thousands of people at once."""
    email, phone = row.request.email, row.request.phone
    for place, message in (("email", email), ("phone", phone)):
        if message.WhichOneof("verification") == "return_code":
            row.refuse(NO_RETURNED_CODES.error(), f"{place}.returnCode")
    says = email.WhichOneof("verification")
    if says == "send_code" or (says == "is_verified" and email.is_verified):
        row.mail = chosen_for_mail(needs, email, "email")
    try:
        row.phone = chosen_for_phone(phone, "phone")
    except ServiceError as error:
        row.refuse(error)


async def _look_at_human(needs: Needs, row: Row, org: Target[Org]) -> None:
    try:
        human = human_of_request(needs, org.org_id, row.request, row.mail, row.phone)
    except ServiceError as error:
        row.refuse(error)
        return
    row.human = human
    async for problem in _problems(needs, row, human):
        row.problems.append(RowProblem(field=problem.path, id=problem.error_code.id, text=problem.error_code.text))
    for check in _checks(needs, row, human, org):
        try:
            await check()
        except ServiceError as error:
            row.refuse(error)


async def _problems(needs: Needs, row: Row, human: Human) -> AsyncIterator[Problem]:
    for problem in problems_of(human):
        yield problem
    async for problem in problems_of_links(needs, human.org_id, row.request.idp_links):
        yield problem


def _checks(needs: Needs, row: Row, human: Human, org: Target[Org]) -> Iterator[Callable[[], Any]]:
    """What can refuse it besides; the codes are thrown away."""
    request = row.request

    async def password() -> None:
        match request.WhichOneof("password_type"):
            case "password":
                await needs.passwords.require_allowed(human, request.password.password, "password.password")
            case "hashed_password":
                needs.passwords.imported(human, request.hashed_password.hash, "hashedPassword.hash")
            case _:
                pass

    async def codes() -> None:
        if not row.problems:
            with_code(needs, put_human(None, human), org.subject, row.mail.code_request)

    yield password
    yield codes


def _proof(request: AddHumanUserRequest) -> str:
    match request.WhichOneof("password_type"):
        case "password":
            return "password"
        case "hashed_password":
            return describe(request.hashed_password.hash) or "a hash of an unknown kind"
        case _:
            return ""
