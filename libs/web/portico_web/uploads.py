"""Parses multipart forms with one file, with a size limit and never on disk (RX-01)."""

from __future__ import annotations

import base64
import re
from collections.abc import AsyncGenerator
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import MAX_FIELDS, Parameters
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from portico_web.forms import MAX_FORM, UNSUPPORTED_MEDIA_TYPE, media_of, read_body
from portico_web.headers import find_header

MAX_UPLOAD: Final = 96 * 1024
"""Bytes of the whole body: a file of 64 KiB, and fields."""

_MULTIPART: Final = "multipart/form-data"
_BOUNDARY: Final = re.compile(r";[ \t]*boundary=\"?([0-9A-Za-z'()+_,./:=?-]{1,70})", re.IGNORECASE)
"""In a Content-Type (RFC 2046 section 5.1.1). Other parameters are ignored (RFC 7578 section 4.3 has no charset)."""

NOT_MULTIPART = ErrorCode(
    "WEB-006", Kind.INVALID_REQUEST, "The form cannot be decoded.", "Encode it as multipart/form-data (RFC 7578)."
)


def is_upload(request: Request) -> bool:
    return media_of(request) == _MULTIPART


async def read_upload(request: Request, most_bytes: int = MAX_UPLOAD) -> Parameters:
    """Parses a form of at most `most_bytes`; a file becomes its content in base64, an empty file is absent."""
    if not is_upload(request) or find_header(request, b"content-encoding"):
        raise UNSUPPORTED_MEDIA_TYPE.error(media=media_of(request)[:60])
    boundary = _BOUNDARY.search(find_header(request, b"content-type") or "")
    if boundary is None:
        raise NOT_MULTIPART.error(cause="no boundary")
    body = await read_body(request, most_bytes)
    # Data below the parser's memory limit is never written to a file.
    headers = Headers({"content-type": f'{_MULTIPART}; boundary="{boundary[1]}"'})
    parser = _Utf8Parser(headers, _at_once(body), max_files=MAX_FIELDS, max_fields=MAX_FIELDS, max_part_size=MAX_FORM)
    try:
        form = await parser.parse()
        return Parameters([(name, await _text(value)) for name, value in form.multi_items()])
    except (MultiPartException, KeyError, ValueError) as error:
        raise NOT_MULTIPART.error(cause=str(error)[:100]) from error


class _Utf8Parser(MultiPartParser):
    """Rejects a field that is not UTF-8, where its base class falls back to Latin-1."""

    def on_part_end(self) -> None:
        if self._current_part.file is None:
            self._current_part.data.decode()
        super().on_part_end()


async def _text(value: UploadFile | str) -> str:
    return value if isinstance(value, str) else base64.b64encode(await value.read()).decode()


async def _at_once(body: bytes) -> AsyncGenerator[bytes, None]:
    yield body
