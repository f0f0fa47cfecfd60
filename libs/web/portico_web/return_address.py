"""A verified redirect target, created only by authz's redirect-URI check (AZ-09)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from portico_oauth.response_types import ResponseMode
from starlette.responses import Response

from portico_web.headers import NO_STORE
from portico_web.languages import ENGLISH, Language
from portico_web.pages import form_post_page

_UNRESERVED: Final = re.compile(r"[A-Za-z0-9_.~-]*")


@dataclass(frozen=True, slots=True)
class ReturnAddress:
    """Target and mode of an authorization response; `issuer` is in every response (RFC 9207)."""

    redirect_uri: str
    mode: ResponseMode
    state: str
    issuer: str
    language: Language = ENGLISH

    def respond(self, answer: dict[str, str]) -> Response:
        fields = self._fields(answer)
        match self.mode:
            case ResponseMode.QUERY:
                return _see_other(self.with_query(answer))
            case ResponseMode.FRAGMENT:
                return _see_other(f"{self.redirect_uri}#{_encode(fields)}")
            case ResponseMode.FORM_POST:
                return form_post_page(self.redirect_uri, fields, language=self.language)

    def with_query(self, answer: dict[str, str]) -> str:
        """The URL of a response in mode `query`."""
        return add_to_query(self.redirect_uri, self._fields(answer))

    def _fields(self, answer: dict[str, str]) -> dict[str, str]:
        return {**answer, **({"state": self.state} if self.state else {}), "iss": self.issuer}


def add_to_query(uri: str, fields: dict[str, str]) -> str:
    if not fields:
        return uri
    joiner = "" if uri.endswith(("?", "&")) else "&" if "?" in uri else "?"
    return f"{uri}{joiner}{_encode(fields)}"


def _encode(fields: dict[str, str]) -> str:
    return "&".join([f"{_quoted(name)}={_quoted(value)}" for name, value in fields.items()])


def _quoted(text: str) -> str:
    # `quote` makes nine calls, and most values need none.
    return text if _UNRESERVED.fullmatch(text) else quote(text, safe="")


def _see_other(location: str) -> Response:
    return Response(status_code=303, headers={**NO_STORE, "Location": location})
