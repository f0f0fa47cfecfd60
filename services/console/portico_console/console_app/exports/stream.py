"""Rows of a whole list, a page at a time."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Final

from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_console.console_app.exports.formats import Format
from portico_console.console_app.screens.paging import Asked
from portico_console.console_app.screens.reading import Rows, read_rows
from portico_console.console_app.screens.screen import Screen
from portico_console.management.diagnostics import NotRecent, NotSignedIn
from portico_console.request_context import RequestContext

MOST_ROWS: Final = 100_000
"""Maximum rows of a file: the database counts its way to a late page."""

_SIZE: Final = 1000
_OVERLAP: Final = 50
"""Rows read again with the next page, so that none is missed when earlier ones are deleted meanwhile."""

TOO_LONG = ErrorCode(
    "CONS-290",
    Kind.INVALID_REQUEST,
    "A file has at most 100,000 rows.",
    "Narrow the list by a search or filter, or use `portico export --list`.",
)

_INCOMPLETE: Final = "ERROR: This export is incomplete: it has %(rows)s rows. %(reason)s"


async def read_first(ctx: RequestContext, screen: Screen, asked: Asked) -> Rows:
    """Raises what the API refuses, before an answer begins."""
    return await read_rows(ctx, screen, replace(asked, number=1, size=_SIZE))


async def written(
    ctx: RequestContext, screen: Screen, asked: Asked, first: Rows, format: Format
) -> AsyncIterator[bytes]:
    """Writes the file; when it cannot be completed, its last line is an error."""
    count = 0
    yield format.begin().encode()
    try:
        async for portion in _portions(ctx, screen, asked, first):
            count += len(portion)
            yield "".join(format.row(one) for one in portion).encode()
    except (NotSignedIn, NotRecent):
        reason = "The session has ended. Sign in and export again."
    except ServiceError as error:
        reason = f"{error.text} ({error.id})"
    else:
        yield format.end().encode()
        return
    yield format.fail(_INCOMPLETE % {"rows": count, "reason": reason}).encode()


async def _portions(ctx: RequestContext, screen: Screen, asked: Asked, first: Rows) -> AsyncIterator[list[Any]]:
    paged = screen.listing is not None and bool(screen.listing.page)
    before: set[bytes] = set()
    read, offset = first, 0
    while True:
        keys = [_key(one) for one in read.rows]
        yield [one for one, key in zip(read.rows, keys, strict=True) if key not in before]
        if not paged or len(read.rows) < _SIZE:
            return
        before = set(keys)
        offset += _SIZE - _OVERLAP
        if read.total > MOST_ROWS and offset + _SIZE > MOST_ROWS:
            raise TOO_LONG.error()
        read = await read_rows(ctx, screen, asked, _SIZE, offset)


def _key(thing: Any) -> bytes:
    return blake2b(json.dumps(thing).encode(), digest_size=16).digest()
