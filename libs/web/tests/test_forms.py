from __future__ import annotations

from collections.abc import Iterable

import pytest
from portico_oauth.errors import Kind, ServiceError
from portico_web.forms import MAX_FORM, read_form
from starlette.requests import Request

FORM = "application/x-www-form-urlencoded"


class Body:
    """A body in chunks that counts how many were received."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self.taken = 0

    async def receive(self) -> dict[str, object]:
        self.taken += 1
        chunk = next(self._chunks, None)
        return {"type": "http.request", "body": chunk or b"", "more_body": chunk is not None}


def a_request(body: Body, media: str | None = FORM, *, query: str = "", **headers: str) -> Request:
    fields = {**headers, **({"content-type": media} if media is not None else {})}
    raw = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in fields.items()]
    return Request({"type": "http", "method": "POST", "headers": raw, "query_string": query.encode()}, body.receive)


async def kind_of(request: Request) -> Kind:
    with pytest.raises(ServiceError) as refused:
        await read_form(request)
    return refused.value.kind


@pytest.mark.parametrize("media", [FORM, f"{FORM}; charset=utf-8", "Application/X-WWW-Form-URLEncoded", f" {FORM} ;x"])
async def test_form_is_read_in_chunks(media: str) -> None:
    form = await read_form(a_request(Body([b"grant_type=a", b"&scope=open", b"id"]), media))

    assert dict(form) == {"grant_type": "a", "scope": "openid"}


@pytest.mark.parametrize(
    "media",
    [None, "", "application/json", "multipart/form-data; boundary=x", "text/plain", f"{FORM}x", f"x{FORM}",
     "application/x-www-form-urlencoded, application/json", "*/*"],
)  # fmt: skip
async def test_other_media_type_is_refused_unread(media: str | None) -> None:
    """A multipart body is refused without reading it (RX-02)."""
    body = Body([b"a=1"])

    assert await kind_of(a_request(body, media)) is Kind.UNSUPPORTED_MEDIA_TYPE
    assert body.taken == 0


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "identity, gzip"])
async def test_compressed_body_is_refused_unread(encoding: str) -> None:
    """A body with any content encoding is refused without reading it (RX-10)."""
    body = Body([b"\x1f\x8b"])

    assert await kind_of(a_request(body, content_encoding=encoding)) is Kind.UNSUPPORTED_MEDIA_TYPE
    assert body.taken == 0


@pytest.mark.parametrize("length", [str(MAX_FORM + 1), "9" * 13, "9" * 400])
async def test_content_length_over_the_limit_is_refused_unread(length: str) -> None:
    """A body whose Content-Length exceeds the limit is not waited for (RX-01)."""
    body = Body([b"a=1"])

    assert await kind_of(a_request(body, content_length=length)) is Kind.CONTENT_TOO_LARGE
    assert body.taken == 0


async def test_endless_body_is_cut_at_the_limit() -> None:
    """Chunks without a length, or with a false one, are read only up to the limit (RX-01)."""
    body = Body(b"a" * 8_192 for _ in range(1_000_000))

    assert await kind_of(a_request(body, content_length="10")) is Kind.CONTENT_TOO_LARGE
    assert body.taken == MAX_FORM // 8_192 + 1


async def test_form_of_exactly_the_limit_is_read() -> None:
    form = await read_form(a_request(Body([b"a=" + b"b" * (MAX_FORM - 2)])))

    assert len(form["a"]) == MAX_FORM - 2


async def test_repeat_across_query_and_body_is_detected() -> None:
    """A POST authorization request may not send a parameter in both query and body (AZ-04)."""
    form = await read_form(a_request(Body([b"client_id=a"]), query="client_id=a"), with_query=True)

    assert form.repeated == {"client_id"}


async def test_query_is_not_read_by_default() -> None:
    """Credentials in a URL are ignored (TK-21)."""
    form = await read_form(a_request(Body([b"a=1"]), query="client_secret=x"))

    assert dict(form) == {"a": "1"}


async def test_many_fields_are_refused() -> None:
    """A form has at most a hundred fields (RX-01)."""
    assert await kind_of(a_request(Body([b"&" * 60_000]))) is Kind.CONTENT_TOO_LARGE


async def test_disconnected_client_is_a_malformed_request() -> None:
    """A body that ends early is the client's error, not a fault of the server (RX-12)."""

    class Gone(Body):
        async def receive(self) -> dict[str, object]:
            return await super().receive() if self.taken == 0 else {"type": "http.disconnect"}

    assert await kind_of(a_request(Gone([b"grant_type=a"]))) is Kind.INVALID_REQUEST
