"""The operations on the caller: every user may read their own."""

from __future__ import annotations

from portico_users_rows.permission_rows.row import WHO, YES, Row, body, nothing

_OF = "portico.management.v1.CallerService"
_SIGNED_IN = (WHO, WHO, YES, YES, YES, YES, YES, YES)

CALLER_ROWS = {
    f"{_OF}.ListMyOrgs": Row("", nothing, _SIGNED_IN),
    f"{_OF}.ListMyEvents": Row("", nothing, _SIGNED_IN),
    f"{_OF}.GetMyBranding": Row("", nothing, _SIGNED_IN),
    f"{_OF}.GetMyPasswordRules": Row("", nothing, _SIGNED_IN),
    f"{_OF}.ListMyPermissions": Row("", nothing, _SIGNED_IN),
    "portico.management.v1.SearchService.Search": Row("", body(query="ada"), _SIGNED_IN),
}
