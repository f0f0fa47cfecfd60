"""The sentences of a trace: what was wrong, what to change, and what differs. English; each is a msgid.

The sentences of errors are those of their error codes; those of hints are here.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.error_texts import error_text
from portico_contracts.traces import ExplainedCheck, FindTrace, Hint, TraceCheck, TraceFound

from portico_users.traces.trace_store import TraceStore

HINTS: Final[dict[str, str]] = {
    Hint.NOTHING_REGISTERED: "No address is registered for this.",
    Hint.SCHEME: "The scheme differs: http and https are two addresses.",
    Hint.HOST: "The host name differs.",
    Hint.PORT: "The port differs; a default port that is written counts as another one.",
    Hint.TRAILING_SLASH: "Only a slash at the end differs: add it or leave it out, as it is registered.",
    Hint.CASE: "Only upper and lower case differ: addresses are compared letter for letter.",
    Hint.PATH: "The path differs.",
    Hint.QUERY: "The query differs: it is a part of the registered address.",
    Hint.FRAGMENT: "The address has a fragment, which none may have.",
    Hint.USER_INFORMATION: "The address has a user name or password in it, which none may have.",
    Hint.MISSING: "It was not sent, or empty.",
    Hint.MALFORMED: "It was sent in another form.",
    Hint.REPEATED: "It was sent more than once.",
    Hint.OTHER_METHOD: "The application authenticates by another method than the registered one.",
    Hint.WRONG_SECRET: "The secret is not the one of this application; it may have been regenerated.",
    Hint.NO_SECRET: "The application has no secret: generate one, or choose the method that needs none.",
    Hint.NO_KEY: "No registered key has the kid of the assertion; without a kid exactly one key may be registered.",
    Hint.KEY_EXPIRED: "The registered key has expired: register another one.",
    Hint.WRONG_SIGNATURE: "The assertion is signed with another key, by another algorithm, or its typ is another.",
    Hint.EXPIRED: "It has expired.",
    Hint.NOT_YET_VALID: "It is not valid yet: compare the clocks.",
    Hint.TOO_OLD: "It was issued too long ago: compare the clocks.",
    Hint.TOO_LONG: "It would be valid for longer than it may be.",
    Hint.USED_BEFORE: "It was used before.",
    Hint.OTHER_CLIENT: "It belongs to another application, or to another request.",
    Hint.UNKNOWN: "It is not known here, or no longer.",
    Hint.NOT_ALLOWED: "The application may not request these words, so they were left out.",
}


class TraceExplanations:
    """Answers the operator, for whom there is no foreign trace."""

    def __init__(self, store: TraceStore) -> None:
        self._store = store

    async def find_trace(self, question: FindTrace) -> TraceFound:
        """The trace of a request with its sentences.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        trace = await self._store.find(question.request_id[:200])
        if trace is None:
            return TraceFound()
        sentences = error_text(trace.error_id)
        return TraceFound(
            trace=trace, text=sentences.text, fix=sentences.fix, checks=tuple(map(explained, trace.checks))
        )


def explained(check: TraceCheck) -> ExplainedCheck:
    """The check with the sentence of its hint; empty for a hint of another release."""
    return ExplainedCheck(check=check, hint=HINTS.get(check.hint, ""))
