"""Traces in MongoDB, for 24 hours: bounded in size and number, the oldest dropped first; and their sentences."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec
import structlog
from portico_contracts.diagnostics import (
    LARGEST_TRACE,
    TRACE_SECONDS,
    Diagnostic,
    DiagnosticCheck,
    DiagnosticFound,
    ExplainedCheck,
    FindDiagnostic,
    Hint,
    RecordDiagnostics,
)
from portico_contracts.error_texts import error_text
from portico_contracts.subjects import encode
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.diagnostics.limits import STORED_PER_MINUTE, UNKNOWN, MinuteLimit
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, DESCENDING, IndexModel

from portico_users.storage.entry import Document
from portico_users.storage.listing import Page, PagedRows
from portico_users.storage.schema import Indexes

log = structlog.get_logger("portico.traces")

TRACE_NOT_FOUND = ErrorCode(
    "USER-841",
    Kind.NOT_FOUND,
    "No diagnostics were recorded for this request.",
    "Check the request id. Diagnostics are kept for 24 hours, and when many requests are "
    "refused within a minute, some are not recorded.",
)

TRACES: Final = "traces"
_ORDER: Final = [("at", ASCENDING), ("_id", ASCENDING)]
TRACE_INDEXES: Final[Indexes] = {
    TRACES: (
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
        IndexModel([("requestId", ASCENDING)]),
        IndexModel([("appId", ASCENDING), *_ORDER]),
        IndexModel([("userId", ASCENDING), *_ORDER], partialFilterExpression={"userId": {"$gt": ""}}),
        IndexModel([("orgId", ASCENDING), *_ORDER]),
        IndexModel([("isKnown", ASCENDING), *_ORDER]),
        IndexModel(_ORDER),
    )
}

MOST_STORED: Final = 50_000
"""Diagnostics of known clients and users; at most 100 MiB."""

MOST_UNKNOWN: Final = 10_000
"""Diagnostics of unknown clients, limited separately so that they never displace the others."""

TRIM_SECONDS: Final = 30.0
_COUNTED: Final = 10_000


class FoundDiagnostics(NamedTuple):
    total: int
    traces: list[Diagnostic]


class DiagnosticStore:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._rows = database[TRACES]
        self._pages = PagedRows(self._rows, most=_COUNTED)
        self._clock = clock
        self._limit = MinuteLimit(clock, STORED_PER_MINUTE)

    async def record(self, message: RecordDiagnostics) -> list[Diagnostic]:
        """Stores and returns the diagnostics below the limits. Raises `unavailable`; they are then lost."""
        admitted = [trace for trace in message.traces if self._is_admitted(trace)]
        if admitted:
            async with guarded():
                await self._rows.insert_many([_row(trace) for trace in admitted], ordered=False)
        return admitted

    async def find(self, request_id: str) -> Diagnostic | None:
        """Returns the newest diagnostics of a request id; None without any. Raises `unavailable`."""
        async with guarded():
            row = await self._rows.find_one({"requestId": request_id, **self._readable()}, sort=[("at", DESCENDING)])
        return _diagnostic(row) if row else None

    async def find_last(self, check: str, *, user_id: str = "", app_id: str = "") -> Diagnostic | None:
        """Returns the newest diagnostics with a check, of an application or else of a user. Raises `unavailable`."""
        owner = {"appId": app_id} if app_id else {"userId": user_id}
        question = {**owner, "trace.checks.name": check, **self._readable()}
        async with guarded():
            row = await self._rows.find_one(question, sort=[("at", DESCENDING)])
        return _diagnostic(row) if row else None

    async def search(self, question: Document, page: Page) -> FoundDiagnostics:
        async with guarded():
            total, rows = await self._pages.read({"$and": [question, self._readable()]}, page)
        return FoundDiagnostics(total, [_diagnostic(row) for row in rows])

    async def trim(self) -> None:
        await self.trim_now()
        await asyncio.sleep(TRIM_SECONDS)

    async def trim_now(self, known: int = MOST_STORED, unknown: int = MOST_UNKNOWN) -> None:
        for is_known, most in ((True, known), (False, unknown)):
            question = {"isKnown": is_known}
            async with guarded():
                newest_first = self._rows.find(question, {"at": 1}).sort([("at", DESCENDING), ("_id", DESCENDING)])
                beyond: list[Document] = await newest_first.skip(most).limit(1).to_list(1)
                if beyond:
                    await self._rows.delete_many({**question, "at": {"$lte": beyond[0]["at"]}})

    def _is_admitted(self, trace: Diagnostic) -> bool:
        owner = trace.client_id if trace.client_known else trace.user_id or UNKNOWN
        return len(encode(trace)) <= LARGEST_TRACE and self._limit.admits(owner)

    def _readable(self) -> Document:
        """Excludes expired rows, which the database deletes only once a minute."""
        return {"at": {"$gt": self._clock.now() - TRACE_SECONDS}}


def _row(trace: Diagnostic) -> Document:
    return {
        "requestId": trace.request_id,
        "appId": trace.app_id,
        "userId": trace.user_id,
        "orgId": trace.org_id if trace.app_id else "",
        "isKnown": bool(trace.app_id or trace.user_id),
        "outcome": trace.outcome,
        "at": trace.at,
        "forgetAt": datetime.fromtimestamp(trace.at + TRACE_SECONDS, UTC),
        "trace": msgspec.to_builtins(trace),
    }


def _diagnostic(row: Document) -> Diagnostic:
    return msgspec.convert(row["trace"], Diagnostic)


HINTS: Final[dict[str, str]] = {
    Hint.NOTHING_REGISTERED: "No URI is registered.",
    Hint.SCHEME: "The scheme differs: http and https are different URIs.",
    Hint.HOST: "The host name differs.",
    Hint.PORT: "The port differs. An explicit default port is a different URI.",
    Hint.TRAILING_SLASH: "Only a trailing slash differs: add or remove it, as in the registered URI.",
    Hint.CASE: "Only upper and lower case differ. URIs are compared exactly.",
    Hint.PATH: "The path differs.",
    Hint.QUERY: "The query differs. It is part of the registered URI.",
    Hint.FRAGMENT: "The URI has a fragment, which is not allowed.",
    Hint.USER_INFORMATION: "The URI contains a user name or password, which is not allowed.",
    Hint.MISSING: "The parameter is missing or empty.",
    Hint.MALFORMED: "The value has the wrong format.",
    Hint.REPEATED: "The parameter was sent more than once.",
    Hint.OTHER_METHOD: "The application used another authentication method than the registered one.",
    Hint.WRONG_SECRET: "The secret is wrong. It may have been regenerated.",
    Hint.SECRET_EXPIRED: "The secret has expired. Generate a new one.",
    Hint.NO_SECRET: "The application has no secret. Generate one, or choose a method without a secret.",
    Hint.NO_KEY: "No key of the issuer has the kid of the assertion.",
    Hint.KEY_EXPIRED: "The registered key has expired. Register another one.",
    Hint.WRONG_SIGNATURE: "The assertion is signed with another key or algorithm, or has the wrong typ.",
    Hint.EXPIRED: "The value has expired.",
    Hint.NOT_YET_VALID: "The value is not valid yet. Compare the clocks.",
    Hint.TOO_OLD: "The value was issued too long ago. Compare the clocks.",
    Hint.TOO_LONG: "The lifetime is longer than the maximum.",
    Hint.USED_BEFORE: "The value was already used.",
    Hint.OTHER_CLIENT: "The value belongs to another application or request.",
    Hint.UNKNOWN: "The value is unknown, or no longer exists.",
    Hint.NO_CERTIFICATE: "No client certificate arrived. Use the endpoints in mtls_endpoint_aliases of the discovery document.",
    Hint.UNKNOWN_ISSUER: "No organization accepts assertions of this issuer for the application.",
    Hint.WRONG_USE: "The assertion is for another server: aud must be this issuer alone.",
    Hint.WRONG_SUBJECT: "The assertion names another user or organization, or users of several organizations.",
    Hint.OTHER_KEY: "The DPoP proof has another key than cnf of the assertion.",
    Hint.NO_PROOF: "The assertion is bound to a key (cnf), and the request has no DPoP proof of it.",
    Hint.DPOP_OFF: "The assertion is bound to a key (cnf), and DPoP is off for the application. Set dpop to allowed.",
    Hint.NOT_ALLOWED: "The settings or rules for the application do not allow this.",
    Hint.CONDITION: "The tenant of the assertion is not that of the identity provider.",
}
HINTS_OF_CHECKS: Final[dict[str, dict[str, str]]] = {
    "client_authentication": {
        Hint.NO_KEY: "No registered key has the kid of the assertion. Without a kid, exactly one key must be registered.",
        Hint.UNKNOWN_ISSUER: "No CA of PORTICO_MTLS_CA_FILE issued the certificate itself. Intermediate CAs must be in the file too.",
        Hint.WRONG_USE: "The certificate is of a CA, or its extended key usage lacks client authentication.",
        Hint.WRONG_SUBJECT: "The certificate has another subject than certificateSubject of the application.",
        Hint.OTHER_KEY: "The certificate has no registered key. Register its public key, or the certificate itself.",
        Hint.CONDITION: "The claim does not fulfil the condition of the trusted workload.",
    },
    "scope": {
        Hint.NOT_ALLOWED: "The application is not allowed to request these scopes, so they were omitted.",
    },
}
"""What a hint means in another check than that of an identity assertion."""


class DiagnosticExplanations:
    def __init__(self, store: DiagnosticStore) -> None:
        self._store = store

    async def find_diagnostic(self, question: FindDiagnostic) -> DiagnosticFound:
        trace = await self._store.find(question.request_id[:200])
        if trace is None:
            return DiagnosticFound()
        sentences = error_text(trace.error_id)
        return DiagnosticFound(
            trace=trace, text=sentences.text, fix=sentences.fix, checks=tuple(map(explained, trace.checks))
        )


def explained(check: DiagnosticCheck) -> ExplainedCheck:
    """Adds the text of the hint; empty for a hint of another release."""
    texts = HINTS | HINTS_OF_CHECKS.get(check.name, {})
    return ExplainedCheck(check=check, hint=texts.get(check.hint, ""))
