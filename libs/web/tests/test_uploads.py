from __future__ import annotations

import base64

import pytest
from portico_oauth.errors import ServiceError
from portico_web.uploads import MAX_UPLOAD, read_upload
from starlette.requests import Request
from starlette.types import Message

TYPE = "multipart/form-data; boundary=x"
FIELD = b'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\ntoken\r\n'
FILE = b'--x\r\nContent-Disposition: form-data; name="logo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n%b\r\n'
END = b"--x--\r\n"


def posted(body: bytes, content_type: str = TYPE, **headers: str) -> Request:
    sent = {"content-type": content_type, "content-length": str(len(body)), **headers}

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    pairs = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in sent.items()]
    return Request({"type": "http", "method": "POST", "headers": pairs}, receive)


async def test_fields_and_file_content_are_read() -> None:
    """The file's content is returned in base64, and a file that was not chosen is absent."""
    content = bytes(range(256))
    form = await read_upload(posted(FIELD + FILE % content + END))
    nothing = await read_upload(posted(FIELD + FILE.replace(b"a.png", b"") % b"" + END))

    assert dict(form) == {"csrf": "token", "logo": base64.b64encode(content).decode()}
    assert dict(nothing) == {"csrf": "token"}


async def test_repeated_field_is_detected() -> None:
    assert (await read_upload(posted(FIELD + FIELD + END))).repeated == {"csrf"}


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (FIELD + END, "multipart/form-data"),
        (FIELD + END, "multipart/form-data; boundary="),
        (FIELD + END, "multipart/form-data; boundary=y"),
        (FIELD, TYPE),
        (FIELD + FILE % b"cut off", TYPE),
        (b"--x\r\n\r\nno header\r\n" + END, TYPE),
        (b"--x\r\nContent-Disposition: form-data\r\n\r\nno name\r\n" + END, TYPE),
        (b"--x\r\nContent-Disposition\r\n\r\nbroken\r\n" + END, TYPE),
        (b"--x\r\nContent-Type: text/plain\r\n\r\nno disposition\r\n" + END, TYPE),
        (b"\x00\xff" * 100, TYPE),
        (
            b"".join(b'--x\r\nContent-Disposition: form-data; name="f%d"\r\n\r\nv\r\n' % n for n in range(101)) + END,
            TYPE,
        ),
        (b"--x\r\n" + b"A" * 9_000 + b": b\r\n\r\nv\r\n" + END, TYPE),
        (FIELD + END, "multipart/form-data; boundary=x; charset=no-such-charset"),
    ],
)
async def test_malformed_upload_is_refused_or_empty(body: bytes, content_type: str) -> None:
    """A malformed upload gives WEB-006 or an empty form, never a fault."""
    try:
        read = set(await read_upload(posted(body, content_type)))
    except ServiceError as refused:
        read = {refused.id}

    assert read <= {"csrf", "logo"} or read == {"WEB-006"}


async def test_form_is_utf_8_whatever_its_charset() -> None:
    """No other codec is used, because decoding 64 KiB as `idna` blocks the event loop for 0.3 s."""
    field = "Zoë".encode()
    sent = FIELD.replace(b"token", field) + END
    types = [f"{TYPE}; charset={name}" for name in ("idna", "utf-16", "latin-1", "no-such-charset")]
    types += [f"multipart/form-data; charset*=utf-8''idna; Boundary={quoted}" for quoted in ('"x"', "x")]

    read = [(kind, (await read_upload(posted(sent, kind))).get("csrf")) for kind in types]

    assert [one for one in read if one[1] != "Zoë"] == []


async def test_field_that_is_not_utf_8_is_refused() -> None:
    with pytest.raises(ServiceError) as refused:
        await read_upload(posted(FIELD.replace(b"token", "Zoë".encode("latin-1")) + END))

    assert refused.value.id == "WEB-006"


@pytest.mark.parametrize(
    ("request_", "error_code"),
    [
        (posted(FIELD + FILE % (b"a" * MAX_UPLOAD) + END), "WEB-002"),
        (posted(FIELD + END, content_encoding="gzip"), "WEB-001"),
        (posted(b"csrf=token", "application/x-www-form-urlencoded"), "WEB-001"),
    ],
)
async def test_limits_of_an_upload(request_: Request, error_code: str) -> None:
    """The size, content encoding and media type of an upload are restricted (RX-01, RX-02, RX-10)."""
    with pytest.raises(ServiceError) as refused:
        await read_upload(request_)

    assert refused.value.id == error_code
