"""Malformed requests to the management API: broken bytes, JSON, frames, media types, headers and paths.

None is valid: the part that names the action is never a complete message. The same seed generates the same
requests.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from portico_contracts.management import METHODS, Method

JSON: Final = "application/json"
FRAMED: Final = ("application/grpc-web+proto", "application/grpc-web", "application/grpc-web-text")
GRPC: Final = ("application/grpc", "application/grpc+proto", "application/grpc+json")
CONNECT: Final = ("application/proto", "application/connect+proto", "application/connect+json")
MEDIA: Final = (
    *("text/plain", "application/xml", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "*/*"),
    *("application/json; charset=utf-16", "application/grpc-web+thrift", "", "json", "application/jsonx", "a/b;" * 50),
)
ENCODINGS: Final = ("gzip", "br", "zstd", "deflate", "gzip, gzip", "x", "identity, br")
VERBS: Final = ("GET", "PUT", "PATCH", "DELETE", "OPTIONS", "POST", "TRACE", "PROPFIND", "X" * 30)
PATHS: Final = (
    *("/v2/%ff", "/v2/users/%00", "/v2//users", "/v2/users/../../admin", "/v2/users/%2e%2e", "/v2/" + "a/" * 500),
    *("/management/v1/users/%C0%AF/grants/x", "/portico.user.v2.UserService/Nothing", "/portico.none.v1.X/Y", "/v2"),
    *("/portico.user.v2.UserService", "/v2beta/users/%E0%80%AF", "/admin/v1/" + "x" * 3_000, "/v2/users/human/human/x"),
)
VALUES: Final[tuple[Any, ...]] = (
    *({"$ne": None}, {"$gt": ""}, {"$regex": ".*"}, [[]], [{}], {}, 1e308, -1, 2**70, True, "\x00", "\u202e"),
    *("x" * 5_000, "\U0001f680" * 300, ["a"] * 2_000, "../../etc/passwd", "${jndi:ldap://x}", "<script>", "' or 1=1"),
)
TEXTS: Final = (
    b"{", b"[", b"[" * 100_000, b'{"a":' * 50_000, b"\xff\xfe{}", b'{"a": NaN}', b'{"a":1,"a":2}', b'"\\ud800"',
    b'{"userId": "\\ud800\\ud800"}', b"9" * 100_000, b"null", b"true", b'{"a":1}{"b":2}', b"{'a': 1}", b"\x00" * 2_000,
    b'{"profile": {"firstName": "\xed\xa0\x80"}}', b"\xef\xbb\xbf{}x", b'{"' + b"k" * 100_000 + b'": 1}', b"-", b"{]",
)  # fmt: skip
_UNKNOWN: Final = "thereIsNoSuchField"


class Malformed(NamedTuple):
    """One request.

    Attributes:
        kind: the fault.
        over_h2: for plain gRPC, which requires HTTP/2.
    """

    kind: str
    verb: str
    path: str
    headers: dict[str, str]
    content: bytes
    over_h2: bool = False


def malformed(count: int, seed: int) -> Iterator[Malformed]:
    chance = random.Random(seed)  # noqa: S311 - the same ones every time
    methods = [method for method in METHODS.values() if method.template]
    makers = list(_MAKERS)
    for number in range(count):
        yield makers[number % len(makers)](chance, chance.choice(methods))


def _address(chance: random.Random, method: Method) -> str:
    path = chance.choice((method.template, *method.more_templates))
    while "{" in path:
        before, _, rest = path.partition("{")
        path = before + "".join(chance.choices("abcdef0123456789", k=12)) + rest.partition("}")[2]
    return path


def _with_body(chance: random.Random) -> Method:
    return chance.choice([method for method in METHODS.values() if method.template and method.has_body])


def _text(chance: random.Random, _method: Method) -> Malformed:
    method = _with_body(chance)
    content = chance.choice((*TEXTS, chance.randbytes(chance.randrange(1, 400))))
    return Malformed("no JSON object", method.verb, _address(chance, method), {"Content-Type": JSON}, content)


def _values(chance: random.Random, _method: Method) -> Malformed:
    method = _with_body(chance)
    fields: Any = method.request.DESCRIPTOR.fields
    # Most values are wrong for any field; the unknown name covers the valid ones.
    members = {str(field.json_name): chance.choice(VALUES) for field in fields if chance.random() < 0.7}
    content = json.dumps({**members, _UNKNOWN: chance.choice(VALUES)}).encode("utf-8", "surrogatepass")
    return Malformed("wrong values", method.verb, _address(chance, method), {"Content-Type": JSON}, content)


def _media(chance: random.Random, _method: Method) -> Malformed:
    method = _with_body(chance)
    headers = {"Content-Type": chance.choice(MEDIA)}
    return Malformed("media type", method.verb, _address(chance, method), headers, b"x" + chance.randbytes(20))


def _encoding(chance: random.Random, _method: Method) -> Malformed:
    method = _with_body(chance)
    headers = {"Content-Type": JSON, "Content-Encoding": chance.choice(ENCODINGS)}
    return Malformed("encoding", method.verb, _address(chance, method), headers, chance.randbytes(50))


def _headers(chance: random.Random, _method: Method) -> Malformed:
    method = _with_body(chance)
    strange = chance.choice(
        (
            {"X-Filler": "x" * 40_000},
            {f"X-Filler-{number}": "x" * 50 for number in range(200)},
            {"x-service-orgid": "\u00e9" * 300, "Accept-Language": "x" * 3_000},
            {"Authorization": "Bearer " + "x" * 20_000},
            {"Authorization": "Basic Og=="},
            {"Accept-Language": "de;q=x,*;q=9,,;;" * 100, "x-zitadel-orgid": "{}"},
            {"Cookie": "; ".join(f"a{number}=b" for number in range(1_000))},
            {"grpc-timeout": "99999999999999H", "Connect-Timeout-Ms": "-1", "te": "x"},
        )
    )
    return Malformed("headers", method.verb, _address(chance, method), {"Content-Type": JSON, **strange}, b"{")


def _paths(chance: random.Random, _method: Method) -> Malformed:
    path = chance.choice(
        (*PATHS, "/v2/" + "".join(chance.choices("abc/%", k=9)).replace("%", "%41") + "/nothing/x/y/z")
    )
    return Malformed("address", chance.choice(VERBS[:5]), path, {"Content-Type": JSON}, b"")


def _verbs(chance: random.Random, method: Method) -> Malformed:
    verb = chance.choice(VERBS)
    path = _address(chance, method) if verb not in ("GET", "DELETE", "POST", "PUT") else method.path + "/x"
    return Malformed("verb", verb, path, {}, b"")


def _queries(chance: random.Random, _method: Method) -> Malformed:
    reading = [method for method in METHODS.values() if method.verb == "GET"]
    query = chance.choice(
        ("%ff=1", "a[$ne]=1", "&".join(f"q{n}=1" for n in range(200)), "=", "user_id=1&user_id=2", "%")
    )
    return Malformed("query", "GET", f"{_address(chance, chance.choice(reading))}?{_UNKNOWN}=1&{query}", {}, b"")


def _frame(chance: random.Random, message: bytes) -> bytes:
    """Returns a frame that is cut, has a wrong length, or has unknown flags."""
    length = len(message).to_bytes(4, "big")
    choices: tuple[Callable[[], bytes], ...] = (
        lambda: b"\x00" + length + message[: len(message) // 2],
        lambda: b"\x00" + (len(message) + chance.randrange(1, 2**31)).to_bytes(4, "big") + message,
        lambda: b"\x01" + length + message,
        lambda: b"\x7f" + length + message,
        lambda: b"\x80" + length + message,
        lambda: (b"\x00" + length + message) * 2,
        lambda: (b"\x00" + length)[: chance.randrange(5)],
        lambda: message,
        lambda: b"",
    )
    return chance.choice(choices)()


def _junk(chance: random.Random) -> bytes:
    # An end-group tag without a start: never a valid message, whatever precedes it.
    return chance.randbytes(chance.randrange(1, 200)) + b"\x0c" * 2


def _grpc_web(chance: random.Random, method: Method) -> Malformed:
    content = _frame(chance, _junk(chance))
    media = chance.choice(FRAMED)
    if media.endswith("text"):
        content = base64.b64encode(content) + chance.choice((b"", b"=", b"*"))
    return Malformed("gRPC-web frames", "POST", method.path, {"Content-Type": media, "X-Grpc-Web": "1"}, content)


def _connect(chance: random.Random, method: Method) -> Malformed:
    media = chance.choice(CONNECT)
    content = _junk(chance) if media == CONNECT[0] else _frame(chance, _junk(chance))
    headers = {"Content-Type": media, "Connect-Protocol-Version": chance.choice(("1", "2", "x"))}
    if chance.random() < 0.3:
        headers["Connect-Timeout-Ms"] = chance.choice(("-1", "x", "9" * 30, ""))
    return Malformed("Connect", "POST", method.path, headers, content)


def _grpc(chance: random.Random, method: Method) -> Malformed:
    headers = {"Content-Type": chance.choice(GRPC), "TE": "trailers"}
    if chance.random() < 0.3:
        headers["grpc-encoding"] = chance.choice(ENCODINGS)
    return Malformed("gRPC frames", "POST", method.path, headers, _frame(chance, _junk(chance)), over_h2=True)


_MAKERS: Final = (
    *(_text, _values, _media, _encoding, _headers, _paths, _verbs, _queries),
    *(_grpc_web, _connect, _grpc, _values),
)
