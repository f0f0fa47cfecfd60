"""Bad values for any parameter, percent-encoded or raw (the corpus "Bad input")."""

from __future__ import annotations

from typing import Final

EMPTY: Final = ("", " ", "null", "undefined", "true", "0", "[]", "{}")

CONTROL: Final = ("\x01", "\t", "\x7f", "\x1b[2J", "a\r\nX-Evil: 1", "\r\n\r\n<html>", "\u2028", "\x85")

UNICODE: Final = (
    *("é", "\u202eabc", "\u200b", "\ufeff", "\U0001f600", "a\u0301", "ı", "İ", "\u0430dmin", "\ufdfa" * 20, "\ufffe"),
    *("٣", "１", "ﬁ"),
)

MARKUP: Final = (
    "<script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "</title><svg/onload=alert(1)>",
    '" onfocus=alert(1) autofocus x="',
    "javascript:alert(1)//",
    "{{7*7}}{% raw %}${7*7}",
    "%s%n%x",
)

INJECTION: Final = (
    *('{"$ne":null}', '{"$gt":""}', "$where", "a.b.c", "*", ">", "../../etc/passwd", "//evil.test", "/\\evil.test"),
    *("https:evil.test", "%00", "%0d%0aX-Evil:%201", "a;b", "a,b", "a\nb"),
)

NUMBERS: Final = ("-1", "1.5", "1e3", "NaN", "Infinity", "9" * 40, "9223372036854775808", "0x10")

LONG: Final = ("x" * 201, "A" * 5_000, "é" * 2_000)

VALUES: Final = (*EMPTY, *CONTROL, *UNICODE, *MARKUP, *INJECTION, *NUMBERS, *LONG)
"""To be percent-encoded."""

RAW: Final = (
    *("%", "%zz", "%u0041", "%0", "a%", "%ff", "%c0%ae", "%ed%a0%80", "%f4%90%80%80", "%fe%ff%00a", "%E2%28%A1"),
    *("%00", "a%00b", "+ACI-", "%2500", "%26", "%3d", "&", "&&&", "=", "%80"),
)
"""To be sent raw in a query or form, broken encodings above all."""

SHAPES: Final = ("{name}[]=x", "{name}[0]=x", "{name}.a=x", "{name}[$ne]=x", ";{name}=x", "%20{name}=x")
"""Names that some form parsers treat as the name itself."""

FORWARDED: Final = (
    *("X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Server"),
    *("Forwarded", "X-Original-Host", "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Host-Override", "X-Host"),
    *("X-Forwarded-Ssl", "Front-End-Https", "X-Url-Scheme", "X_FORWARDED_HOST"),
)
"""Headers that some frameworks build URLs from (HH-01)."""

INTERNAL: Final = (
    *("X-User-Id", "X-Org-Id", "X-Auth-Request-User", "X-Auth-User", "X-Portico-User", "Portico-Error-Kind"),
    *("Nats-Service-Error", "Nats-Msg-Id", "Traceparent", "Tracestate", "Baggage", "X-Request-Id", "X-Real-Ip"),
    *("X-HTTP-Method-Override", "X-Method-Override", "True-Client-Ip", "CF-Connecting-Ip"),
)
"""Headers that a service behind the gateway might trust (HH-04)."""
