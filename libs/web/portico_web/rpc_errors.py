from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from portico_oauth.errors import ServiceError

ERROR_DETAIL: Final = "type.googleapis.com/portico.v1.ErrorDetail"
BAD_REQUEST: Final = "type.googleapis.com/google.rpc.BadRequest"


@dataclass(frozen=True, slots=True)
class RpcError:
    """The members of a google.rpc.Status; `text` is in the language of the request."""

    code: int
    id: str
    text: str
    violations: tuple[tuple[str, str], ...]

    @property
    def message(self) -> str:
        return f"{self.text} ({self.id})"

    def as_json(self) -> dict[str, Any]:
        details: list[dict[str, Any]] = [{"@type": ERROR_DETAIL, "id": self.id, "message": self.text}]
        if self.violations:
            fields = [{"field": field, "description": text} for field, text in self.violations]
            details.append({"@type": BAD_REQUEST, "fieldViolations": fields})
        return {"code": self.code, "message": self.message, "details": details}


def rpc_error(error: ServiceError, translate: Callable[[str], str]) -> RpcError:
    violations = tuple((one.field, one.translated(translate)) for one in error.violations)
    text = f"{violations[0][0]}: {violations[0][1]}" if violations else error.translated(translate)
    return RpcError(error.rendering.rpc, error.id, text, violations)
