from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from portico_contracts.context import REQUEST_ID, REQUEST_ID_HEADER, TRACE_PARENT, TRACE_PARENT_HEADER
from portico_contracts.error_ids import NEEDS_RECENT_SIGN_IN
from portico_contracts.http import MANAGEMENT_HEALTH
from portico_oauth.errors import PATH_NOT_FOUND, UNAVAILABLE
from portico_runtime.http_client.service_client import Http

from portico_console.management.diagnostics import NotRecent, NotSignedIn, error_in

LARGEST_PAGE: Final = 1_000
"""Entries of a list in one call (`ListQuery.limit`)."""


_IN_NO_ID: Final = frozenset("\r\n\0")


class Fields(dict[str, Any]):
    """The fields of a message. An absent field is empty: false, without fields, and displayed as an empty text."""

    def __missing__(self, name: str) -> Fields:
        return Fields()

    def __str__(self) -> str:
        return super().__repr__() if self else ""

    def __html__(self) -> str:
        if self:
            raise TypeError("a message is no text")
        return ""


def read_fields(body: bytes) -> Fields:
    """Raises ValueError: the body is not a JSON object."""
    found = json.loads(body, object_hook=Fields)
    if not isinstance(found, Fields):
        raise ValueError("not an object")
    return found


TIMEOUT: Final = 12.0
"""Timeout of a call in seconds: setting a password hashes it, and may wait for other hashes."""


class ManagementApi:
    """The management API for one user; `language` is the tag of the language of errors.

    `address` is that of the user's browser, which rules by network must not refuse; empty if there is none.
    """

    def __init__(self, http: Http, access_token: str, language: str, address: str = "") -> None:
        self._http = http
        self._headers = {
            "Authorization": f"Bearer {access_token}",
            "Accept-Language": language,
            "Content-Type": "application/json",
            "Connect-Protocol-Version": "1",
        } | ({"X-Forwarded-For": address.partition("/")[0]} if address else {})

    async def call(
        self,
        method: str,
        fields: Mapping[str, Any] | None = None,
        *,
        org: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Fields:
        """Calls ``portico.user.v2.UserService/GetUserByID`` once.

        `org` is for the methods of ``portico.management.v1``. It is of the URL of a page, so that it may be anything.

        Raises:
            PORT-002: no organization can have this id.
            NotSignedIn: the access token is no longer active.
            NotRecent: the user must sign in again for this operation.
        """
        sent = self._headers | dict(headers or {}) | {REQUEST_ID_HEADER: REQUEST_ID.get()}
        if not _IN_NO_ID.isdisjoint(org):
            raise PATH_NOT_FOUND.error()
        if org:
            sent["x-service-orgid"] = org
        if trace := TRACE_PARENT.get():
            sent[TRACE_PARENT_HEADER] = trace
        try:
            async with asyncio.timeout(TIMEOUT):
                response = await self._http.request("POST", f"/{method}", sent, msgspec.json.encode(fields or {}))
        except (OSError, TimeoutError) as error:
            raise UNAVAILABLE.error(asked="users", cause=type(error).__name__) from error
        if response.status == HTTPStatus.UNAUTHORIZED:
            raise NotSignedIn
        if response.status != HTTPStatus.OK:
            refused = error_in(response)
            raise NotRecent if refused.id == NEEDS_RECENT_SIGN_IN else refused
        try:
            return read_fields(response.body)
        except ValueError as error:
            raise UNAVAILABLE.error(asked="users", cause=str(error)) from error


async def check_users(http: Http) -> None:
    try:
        async with asyncio.timeout(TIMEOUT):
            response = await http.request("GET", MANAGEMENT_HEALTH, {REQUEST_ID_HEADER: REQUEST_ID.get()})
    except (OSError, TimeoutError) as error:
        raise UNAVAILABLE.error(asked="users", cause=type(error).__name__) from error
    if response.status != HTTPStatus.OK:
        raise UNAVAILABLE.error(asked="users", status=response.status)
