"""The matrix: every operation of the management API with every caller (MG-01, MG-04, MG-06)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_users_rows.permission_rows.audit import AUDIT_ROWS, GRANT_ROWS
from portico_users_rows.permission_rows.callers import CALLER_ROWS
from portico_users_rows.permission_rows.credentials import CREDENTIAL_ROWS
from portico_users_rows.permission_rows.diagnostics import STATISTICS_ROWS, TRACE_ROWS
from portico_users_rows.permission_rows.groups import GROUP_ROWS
from portico_users_rows.permission_rows.idps import IDP_ROWS, INTENT_ROWS, LINK_ROWS
from portico_users_rows.permission_rows.members import MEMBER_ROWS
from portico_users_rows.permission_rows.orgs import ORG_ROWS
from portico_users_rows.permission_rows.policies import POLICY_ROWS
from portico_users_rows.permission_rows.projects import APP_ROWS, PROJECT_GRANT_ROWS, PROJECT_ROWS
from portico_users_rows.permission_rows.row import ABSENT, NO, WHO, YES, Row
from portico_users_rows.permission_rows.row import nothing as _nothing
from portico_users_rows.permission_rows.scim import SCIM_ROWS
from portico_users_rows.permission_rows.senders import SENDER_ROWS
from portico_users_rows.permission_rows.service_users import SERVICE_USER_ROWS
from portico_users_rows.permission_rows.settings import SETTINGS_ROWS
from portico_users_rows.permission_rows.signing_keys import SIGNING_KEY_ROWS
from portico_users_rows.permission_rows.users import USER_ROWS
from portico_users_rows.permission_rows.webhooks import WEBHOOK_ROWS

_USER: Final = "portico.user.v2.UserService"


def _new_end_user(managed: Any, caller: str) -> dict[str, Any]:
    body: dict[str, Any] = managed.new_human(f"by-{caller}", organisation={"orgId": managed.org_id})
    return body


MATRIX: Final[Mapping[str, Row]] = {
    f"{_USER}.AddHumanUser": Row("", _new_end_user, (WHO, WHO, NO, NO, NO, YES, YES, ABSENT)),
    f"{_USER}.GetUserByID": Row("/v2/users/self-{tag}", _nothing, (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)),
    f"{_USER}.ListUsers": Row("", _nothing, (WHO, WHO, NO, NO, YES, YES, YES, YES)),
    **USER_ROWS,
    **CALLER_ROWS,
    **PROJECT_ROWS,
    **PROJECT_GRANT_ROWS,
    **APP_ROWS,
    **SERVICE_USER_ROWS,
    **MEMBER_ROWS,
    **ORG_ROWS,
    **GRANT_ROWS,
    **GROUP_ROWS,
    **AUDIT_ROWS,
    **SIGNING_KEY_ROWS,
    **TRACE_ROWS,
    **STATISTICS_ROWS,
    **CREDENTIAL_ROWS,
    **IDP_ROWS,
    **LINK_ROWS,
    **INTENT_ROWS,
    **POLICY_ROWS,
    **SETTINGS_ROWS,
    **WEBHOOK_ROWS,
    **SENDER_ROWS,
    **SCIM_ROWS,
}
"""An operation without a row fails `make unit`; a caller gets the same answer for an object of another organization as for
one that does not exist.
"""
