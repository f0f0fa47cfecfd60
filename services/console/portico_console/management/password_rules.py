from __future__ import annotations

from typing import Final

import structlog
from portico_contracts.users import PasswordRules
from portico_oauth.errors import ServiceError

from portico_console.management.api import ManagementApi

log = structlog.get_logger("portico.password_rules")

_METHOD: Final = "portico.management.v1.CallerService/GetMyPasswordRules"
_FIELDS: Final = {
    "minLength": "min_length",
    "hasUppercase": "uppercase",
    "hasLowercase": "lowercase",
    "hasNumber": "number",
    "hasSymbol": "symbol",
}


async def find_password_rules(api: ManagementApi) -> PasswordRules | None:
    """Returns None where the rules cannot be read, because users checks each new password itself."""
    try:
        found = await api.call(_METHOD)
    except ServiceError as error:
        log.warning("password rules not available", error=str(error)[:100])
        return None
    return PasswordRules(**{field: found[name] for name, field in _FIELDS.items() if name in found})
