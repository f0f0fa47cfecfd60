"""Calls of the management API in their Connect form (JSON by the name of the method): any method, and no rights of our own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec
from portico_contracts.context import REQUEST_ID, REQUEST_ID_HEADER, TRACE_PARENT, TRACE_PARENT_HEADER
from portico_contracts.http import MANAGEMENT_HEALTH
from portico_oauth.errors import UNAVAILABLE
from portico_runtime.service_client import Http

from portico_console.management.refusals import NEEDS_RECENT, NotRecent, NotSignedIn, error_in


class Fields(dict[str, Any]):
    """The fields of a message. One that is absent is empty: false, without fields of its own, and nothing when it is shown."""

    def __missing__(self, name: str) -> Fields:
        """What templates get for an absent field."""
        return Fields()

    def __str__(self) -> str:
        """Nothing for an absent field."""
        return super().__repr__() if self else ""

    def __html__(self) -> str:
        """The same for templates, which would escape it."""
        if self:
            raise TypeError("a message is no text")
        return ""


def read_fields(body: bytes) -> Fields:
    """The message of an answer.

    Raises:
        ValueError: when it is no JSON object.
    """
    found = json.loads(body, object_hook=Fields)
    if not isinstance(found, Fields):
        raise ValueError("not an object")
    return found


TIMEOUT: Final = 12.0
"""Seconds a call may take, all in all: setting a password hashes it, and may wait for others to be hashed."""


class ManagementApi:
    """The management API for one person.

    Args:
        http: the way to users.
        access_token: of that person.
        language: tag of the language that errors are in.
    """

    def __init__(self, http: Http, access_token: str, language: str) -> None:
        self._http = http
        self._headers = {
            "Authorization": f"Bearer {access_token}",
            "Accept-Language": language,
            "Content-Type": "application/json",
            "Connect-Protocol-Version": "1",
        }

    async def call(
        self,
        method: str,
        fields: Mapping[str, Any] | None = None,
        *,
        org: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Fields:
        """Calls a method once, and returns its answer.

        Args:
            method: service and name: ``portico.user.v2.UserService/GetUserByID``.
            fields: of the request.
            org: id of the organization the call is about, for the methods of ``portico.management.v1``.
            headers: further ones.

        Raises:
            NotSignedIn: the access token is not active any more.
            NotRecent: the person has to sign in again for this.
            ServiceError: what users refused, in the language of the page; `unavailable` without an answer.
        """
        sent = self._headers | dict(headers or {}) | {REQUEST_ID_HEADER: REQUEST_ID.get()}
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
            raise NotRecent if refused.id == NEEDS_RECENT else refused
        try:
            return read_fields(response.body)
        except ValueError as error:
            raise UNAVAILABLE.error(asked="users", cause=str(error)) from error


async def check_users(http: Http) -> None:
    """Health: users answers.

    Raises:
        ServiceError: when it does not.
    """
    try:
        async with asyncio.timeout(TIMEOUT):
            response = await http.request("GET", MANAGEMENT_HEALTH, {REQUEST_ID_HEADER: REQUEST_ID.get()})
    except (OSError, TimeoutError) as error:
        raise UNAVAILABLE.error(asked="users", cause=type(error).__name__) from error
    if response.status != HTTPStatus.OK:
        raise UNAVAILABLE.error(asked="users", status=response.status)
