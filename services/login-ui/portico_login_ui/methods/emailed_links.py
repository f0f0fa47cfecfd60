"""Links in emails: the parameters in their addresses, what was entered on their pages, and what was wrong with it."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

from portico_contracts.error_ids import (
    CODE_WRONG,
    KEY_INVALID,
    KEY_NOT_FOUND,
    KEY_TAKEN,
    PASSKEY_LINK_INVALID,
    PASSWORD_REFUSED,
)
from portico_contracts.http import REGISTER_PASSKEY_PAGE
from portico_contracts.login import Problem
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import REPEATED, Parameters
from portico_oauth.typed_text import code_letters, trimmed

from portico_login_ui.methods.credential import ANSWER_TOO_LONG, MAX_CREDENTIAL
from portico_login_ui.methods.method import read_typed

INCOMPLETE = ErrorCode(
    "LOGIN-110", Kind.INVALID_REQUEST, "This link is incomplete.", "Open the link in the email, or copy the whole link."
)

LOGIN_NAME: Final = "loginName"
"""Query parameter of a new password page: the user name for password managers."""

INVITATION: Final = "invitation"
"""Query parameter of a new password page: the link is an invitation. It only selects the text of the page."""

RECOVERED: Final = "recovered"
"""Query parameter of the last page: the password was set after a recovery, so that other changes should be reviewed."""

MAX_ID: Final = 200
MAX_CODE: Final = 40


class EmailedLink(NamedTuple):
    """`org_id` and `invites` only select what the page shows; `login_name` is for the password manager."""

    user_id: str
    code: str
    org_id: str = ""
    login_name: str = ""
    invites: bool = False

    def __repr__(self) -> str:
        """Names the kind only."""
        return "EmailedLink(...)"


def load_link(parameters: Parameters) -> EmailedLink:
    """Raises LOGIN-110 for a malformed link."""
    if {"userID", "code", "orgID", LOGIN_NAME} & parameters.repeated:
        raise REPEATED.error()
    user_id, code = parameters.get("userID", ""), parameters.get("code", "")
    if not (0 < len(user_id) <= MAX_ID and 0 < len(code) <= MAX_CODE):
        raise INCOMPLETE.error()
    org_id = parameters.get("orgID", "")
    org_id = org_id if len(org_id) <= MAX_ID else ""
    return EmailedLink(user_id, code, org_id, login_name_in(parameters), INVITATION in parameters)


def login_name_in(parameters: Parameters) -> str:
    name = parameters.get(LOGIN_NAME, "")
    return name if len(name) <= MAX_ID else ""


def link_address(path: str, link: EmailedLink) -> str:
    known = (("orgID", link.org_id), (LOGIN_NAME, link.login_name), (INVITATION, "1" if link.invites else ""))
    optional = {name: value for name, value in known if value}
    return f"{path}?{urlencode({'userID': link.user_id, 'code': link.code, **optional})}"


_NAMES: Final = {"user_id": "userID", "code_id": "codeID", "code": "code"}


class PasskeyLink(NamedTuple):
    user_id: str
    code_id: str
    code: str

    def __repr__(self) -> str:
        """Names the kind only."""
        return "PasskeyLink(...)"


def load_passkey_link(parameters: Parameters) -> PasskeyLink:
    """Raises LOGIN-110 for a malformed link."""
    if set(_NAMES.values()) & parameters.repeated:
        raise REPEATED.error()
    link = PasskeyLink(*(parameters.get(name, "") for name in _NAMES.values()))
    if not all(link) or len(link.code) > MAX_CODE or max(len(link.user_id), len(link.code_id)) > MAX_ID:
        raise INCOMPLETE.error()
    return link


def passkey_link_address(link: PasskeyLink) -> str:
    return f"{REGISTER_PASSKEY_PAGE}?{urlencode({_NAMES[name]: value for name, value in link._asdict().items()})}"


def made_credential(form: Parameters) -> tuple[str, str]:
    """Returns the registration and the new credential; raises LOGIN-201 beyond the limit."""
    passkey_id, credential = form.get("passkey_id", ""), form.get("credential", "")
    if len(credential) > MAX_CREDENTIAL or len(passkey_id) > MAX_ID:
        raise ANSWER_TOO_LONG.error()
    return passkey_id, credential


_WRONG_CODES: Final = frozenset((CODE_WRONG, PASSKEY_LINK_INVALID))
_INVALID_KEY: Final = frozenset((KEY_NOT_FOUND, KEY_INVALID, KEY_TAKEN))
"""No registration in progress, an invalid credential, or one that is already registered."""


class LinkProblem(NamedTuple):
    problem: Problem
    detail: str = ""
    retry_after: int = 0
    name: str = ""


def password_typed(form: Parameters) -> str:
    """Returns the new password unchanged; raises LOGIN-105 over 200 code points."""
    return read_typed(form, "new_password")


def read_code(form: Parameters) -> str:
    """Returns the code without blanks and separators; raises LOGIN-105 over 200 code points."""
    return code_letters(read_typed(form, "code"))


def read_login_name(form: Parameters) -> str:
    """Raises LOGIN-105 over 200 code points."""
    return trimmed(read_typed(form, "login_name"))


def problem_of(error: ServiceError) -> LinkProblem:
    """Raises an error that no input on the page can fix."""
    if error.id in _WRONG_CODES:
        return LinkProblem(Problem.WRONG_CODE)
    if error.id in _INVALID_KEY:
        return LinkProblem(Problem.WRONG_KEY)
    if error.kind is Kind.TOO_MANY_REQUESTS:
        return LinkProblem(Problem.SLOW_DOWN, retry_after=error.retry_after or 0)
    if error.id in PASSWORD_REFUSED:
        return LinkProblem(Problem.INVALID_PASSWORD, error.id)
    raise error
