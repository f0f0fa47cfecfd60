"""Requests with ambiguous or invalid framing, as bytes."""

from __future__ import annotations

HOST = b"Host: localhost\r\n"
POST = b"POST /oauth/v2/token HTTP/1.1\r\n" + HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
GET = b"GET /oauth/v2/nothing HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
END = b"\r\n\r\n"

REFUSED = {
    "two lengths": POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "list of lengths": POST + b"Content-Length: 5, 6\r\n\r\nabcdef",
    "length with a sign": POST + b"Content-Length: +5\r\n\r\nabcde",
    "negative length": POST + b"Content-Length: -5\r\n\r\nabcde",
    "hexadecimal length": POST + b"Content-Length: 0x5\r\n\r\nabcde",
    "length with underscore": POST + b"Content-Length: 1_0\r\n\r\nabcdeabcde",
    "length beyond all": POST + b"Content-Length: 99999999999999999999\r\n\r\nabcde",
    "empty length": POST + b"Content-Length: \r\n\r\n",
    "length, space, colon": POST + b"Content-Length : 5\r\n\r\nabcde",
    "vertical tab before length": POST + b"Content-Length: \x0b5\r\n\r\nabcde",
    "unknown coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0" + END,
    "coding after chunked": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0" + END,
    "coding twice": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0" + END,
    "identity": POST + b"Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nabcde",
    "vertical tab before coding": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0" + END,
    "coding, space, colon": POST + b"Transfer-Encoding : chunked\r\n\r\n0" + END,
    "coding in quotes": POST + b'Transfer-Encoding: "chunked"\r\n\r\n0' + END,
    "coding with NUL": POST + b"Transfer-Encoding: chunked\x00\r\n\r\n0" + END,
    "chunk longer than said": CHUNKED + b"5\r\nabcdeXX\r\n0" + END,
    "negative chunk": CHUNKED + b"-5\r\nabcde\r\n0" + END,
    "chunk with prefix": CHUNKED + b"0x5\r\nabcde\r\n0" + END,
    "chunk beyond all": CHUNKED + b"fffffffffffffffff5\r\nabcde\r\n0" + END,
    "line feed in extension": CHUNKED + b"5;a\nb\r\nabcde\r\n0" + END,
    "bare carriage return": GET + b"X: a\rContent-Length: 5" + END,
    "NUL in value": GET + b"X: a\x00b" + END,
    "NUL in name": GET + b"X\x00: a" + END,
    "empty name": GET + b": a" + END,
    "no colon": GET + b"Foo" + END,
    "space in name": GET + b"X y: a" + END,
    "version 9.9": b"GET /oauth/v2/nothing HTTP/9.9\r\n" + HOST + b"\r\n",
    "version in lower case": b"GET /oauth/v2/nothing http/1.1\r\n" + HOST + b"\r\n",
    "space in target": b"GET /oauth/v2/nothing x HTTP/1.1\r\n" + HOST + b"\r\n",
    "no slash": b"GET oauth/v2/nothing HTTP/1.1\r\n" + HOST + b"\r\n",
    "NUL in target": b"GET /oauth/v2/no\x00thing HTTP/1.1\r\n" + HOST + b"\r\n",
    "method with umlaut": b"G\xe9T /oauth/v2/nothing HTTP/1.1\r\n" + HOST + b"\r\n",
    "10,000 headers": GET + b"".join(b"X-%d: a\r\n" % number for number in range(10_000)) + b"\r\n",
    "header of 1 MB": GET + b"X: " + b"a" * 1_000_000 + END,
    "address of 100 KB": b"GET /oauth/v2/nothing?" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "5,000 cookies": GET + b"Cookie: abcdef=0123456789\r\n" * 5_000 + b"\r\n",
}
"""Refused by every server; the bytes that follow are not read as a request (IN-01, RX-06)."""

REFUSED_BY_SERVICES = {
    "chunk ends with line feed": CHUNKED + b"5\nabcde\n0\n\n",
    "tabs in the first line": b"GET\t/oauth/v2/nothing\tHTTP/1.1\r\n" + HOST + b"\r\n",
}
"""HAProxy accepts and normalizes these."""

AMBIGUOUS = {
    "length and coding": POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0" + END,
    "coding and length": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0" + END,
    "equal lengths": POST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde",
    "coding list": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0" + END,
    "folded coding": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0" + END,
    "extension": CHUNKED + b"5;a=b\r\nabcde\r\n0" + END,
    "trailer": CHUNKED + b"5\r\nabcde\r\n0\r\nContent-Length: 7" + END,
    "tab before coding": POST + b"Transfer-Encoding:\tchunked\r\n\r\n0" + END,
    "HTTP/1.0 and chunked": POST.replace(b"1.1", b"1.0") + b"Transfer-Encoding: chunked\r\n\r\n0" + END,
    "Connection: Transfer-Encoding": POST
    + b"Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n\r\n0"
    + END,
    "absolute target": b"POST http://evil.test/login/v1/requests/x/step HTTP/1.1\r\n"
    + HOST
    + b"Content-Length: 0"
    + END,
    "folded header": GET + b"X: a\r\n b" + END,
    "body with GET": GET + b"Content-Length: 5\r\n\r\nabcde",
    "upgrade to h2c": GET + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk" + END,
    "upgrade to WebSocket": GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13" + END,
    "tunnel": b"CONNECT /oauth/v2/keys HTTP/1.1\r\n" + HOST + b"\r\n",
    "unknown method": b"FOO /oauth/v2/token HTTP/1.1\r\n" + HOST + b"\r\n",
    "bytes over 127": b"POST /oauth/v2/token?\xff\xfe HTTP/1.1\r\n" + HOST + b"Content-Length: 0" + END,
}
"""Refused or read unambiguously: every response belongs to its own request (IN-01)."""
