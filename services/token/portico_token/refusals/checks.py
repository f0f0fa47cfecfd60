"""The checks of each endpoint in their order, the errors that belong to each, and what each may show in a trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from portico_contracts.traces import Hint, TracedEndpoint
from portico_contracts.users import Client
from portico_oauth import grant_types, scopes
from portico_oauth.errors import ServiceError
from portico_runtime.traces.shown import MOST_WANTED, Shown, shown_length, shown_uri, shown_uris, shown_words
from portico_runtime.traces.uri_hints import compare_uri

from portico_token.domain.clients import Registration
from portico_token.refusals.assertion_times import shown_times
from portico_token.refusals.presented import Presented


def _ids(prefix: str, *numbers: int) -> frozenset[str]:
    return frozenset(f"{prefix}-{number:03}" for number in numbers)


_FORM: Final = _ids("TOKEN", 4) | _ids("OAUTH", 1, 2, 3) | _ids("WEB", 1, 2, 4)
_CLIENT: Final = _ids("TOKEN", *range(10, 16), *range(101, 107), *range(110, 116), 136, 137, 138)

CHECKS: Final[Mapping[TracedEndpoint, tuple[tuple[str, frozenset[str]], ...]]] = {
    TracedEndpoint.TOKEN: (
        ("form", _FORM),
        ("grant_type", _ids("TOKEN", 1, 2)),
        ("client_authentication", _CLIENT),
        ("grant_type_allowed", _ids("TOKEN", 3, 132)),
        ("scope", _ids("TOKEN", 122, 130, 131, 140, 141)),
        ("grant", _ids("TOKEN", 30, 31, 32, 33, 34, 67, 120, 121, 123, 291) | _ids("AUTHZ", 40, 41, 42, 43)),
        ("user", _ids("TOKEN", 40)),
        ("session", _ids("TOKEN", 41)),
        ("token_size", _ids("TOKEN", 142, 143, 144, 145)),
    ),
    TracedEndpoint.INTROSPECTION: (
        ("form", _FORM),
        ("client_authentication", _CLIENT),
        ("token", _ids("TOKEN", 200)),
    ),
    TracedEndpoint.REVOCATION: (
        ("form", _FORM),
        ("client_authentication", _CLIENT),
        ("token", _ids("TOKEN", 200, 210)),
    ),
    TracedEndpoint.USERINFO: (
        ("bearer", _ids("TOKEN", 60, 61, 62, 63) | _FORM),
        ("access_token", _ids("TOKEN", 64)),
        ("end_user", _ids("TOKEN", 201)),
        ("scope", _ids("TOKEN", 65)),
    ),
}
"""By endpoint: the name of each check, and the ids of its errors."""


class Refused(NamedTuple):
    """A refused request.

    Attributes:
        known: what is registered under the client id that was presented.
        client: the client that authenticated, else the registered one.
        audiences: what an assertion may name.
    """

    error: ServiceError
    endpoint: TracedEndpoint
    form: Mapping[str, str]
    presented: Presented
    known: Registration | None
    client: Client | None
    audiences: tuple[str, ...]
    now: float


def explain(name: str, refused: Refused, *, passed: bool) -> Shown:
    """What a check shows."""
    return _EXPLANATIONS[name](refused, passed=passed) if name in _EXPLANATIONS else Shown()


def _form(refused: Refused, *, passed: bool) -> Shown:
    repeated = () if passed else refused.error.private.get("names", ())
    return Shown(" ".join(repeated), hint=Hint.REPEATED if repeated else "")


def _grant_type(refused: Refused, *, passed: bool) -> Shown:
    given = refused.form.get("grant_type")
    if given is None:
        return Shown(hint=Hint.MISSING)
    return Shown(_shown_grant_type(given), () if passed else grant_types.VALUES[:MOST_WANTED], Hint.UNKNOWN)


def _grant_type_allowed(refused: Refused, *, passed: bool) -> Shown:
    registered = refused.client.grant_types if refused.client else ()
    return Shown(_shown_grant_type(refused.form.get("grant_type", "")), () if passed else registered)


def _shown_grant_type(text: str) -> str:
    return text if text in grant_types.VALUES else shown_length(text)


def _client_authentication(refused: Refused, *, passed: bool) -> Shown:
    method, known = refused.presented.method, refused.known
    given = method.value if method else ""
    wanted = tuple(sorted(one.value for one in known.methods)) if known else ()
    if passed:
        return Shown(given)
    if refused.presented.assertion and known is not None:
        return _assertion(refused, given, wanted)
    return Shown(given, wanted, _secret_hint(refused))


def _secret_hint(refused: Refused) -> str:
    method, known = refused.presented.method, refused.known
    if method is None:
        return Hint.MISSING if refused.error.id == "TOKEN-013" else Hint.MALFORMED
    if known is None:
        return Hint.UNKNOWN
    if (
        method not in known.methods
        or refused.error.id in ("TOKEN-137", "TOKEN-138")
        or "registered" in _private(refused)
    ):
        return Hint.OTHER_METHOD
    return Hint.WRONG_SECRET if known.client.secret_hash else Hint.NO_SECRET


def _assertion(refused: Refused, given: str, wanted: tuple[str, ...]) -> Shown:
    """Faults that are found after the signature was verified have an error of their own, and a reason."""
    if refused.error.id in _FAULTS:
        return _FAULTS[refused.error.id](refused, str(_private(refused).get("reason", "")))
    methods = refused.known.methods if refused.known else frozenset()
    if refused.presented.method not in methods and "assertion" not in refused.form:
        return Shown(given, wanted, Hint.OTHER_METHOD)
    return key_hint(refused, given)


def _claims(_refused: Refused, reason: str) -> Shown:
    return Shown(reason if reason in _CLAIMS else "", ("iss", "sub", "aud", "exp", "iat"), Hint.MALFORMED)


def _audience(refused: Refused, reason: str) -> Shown:
    form = reason if reason in _AUDIENCE_FORMS else shown_uri(reason)
    return Shown(form, shown_uris(refused.audiences))


def _times(refused: Refused, reason: str) -> Shown:
    given = shown_times(refused.presented.assertion, refused.now)
    return Shown(given, ("exp in the future", "iat within the hour"), _TIMES.get(reason, ""))


def _used(_refused: Refused, _reason: str) -> Shown:
    return Shown(wanted=("a new assertion for each request",), hint=Hint.USED_BEFORE)


def _jti(_refused: Refused, _reason: str) -> Shown:
    return Shown(wanted=("jti",), hint=Hint.MISSING)


def key_hint(refused: Refused, given: str) -> Shown:
    """Why no registered key verifies an assertion: none has its kid, it has expired, or the signature is another's."""
    keys = refused.known.client.keys if refused.known else ()
    kid = refused.presented.kid
    named = [key for key in keys if kid is None or key.kid == kid]
    wanted = tuple(f"{key.alg} kid={key.kid[:40]}" for key in keys[:MOST_WANTED])
    if not named:
        return Shown(given, wanted, Hint.NO_KEY)
    if all(key.expires_at and refused.now >= key.expires_at for key in named):
        return Shown(given, wanted, Hint.KEY_EXPIRED)
    return Shown(given, wanted, Hint.WRONG_SIGNATURE if len(named) == 1 else Hint.NO_KEY)


def _scope(refused: Refused, *, passed: bool) -> Shown:
    text = refused.form.get("scope")
    if refused.endpoint is TracedEndpoint.USERINFO:
        return Shown(wanted=(scopes.OPENID,))
    if text is None:
        return Shown(hint=Hint.MISSING)
    return Shown(shown_words(text, scopes.STANDARD), () if passed else scopes.STANDARD[:MOST_WANTED])


def _grant(refused: Refused, *, passed: bool) -> Shown:
    error_id, private = refused.error.id, _private(refused)
    if passed:
        return Shown()
    if error_id == "TOKEN-067":
        registered = refused.client.redirect_uris if refused.client else ()
        return compare_uri(refused.form.get("redirect_uri", ""), registered)
    if error_id == "AUTHZ-040":
        late = private.get("seconds_late")
        given = f"expired {int(late)} seconds ago" if isinstance(late, int | float) else ""
        return Shown(
            given, ("a code of this client and redirect_uri, once",), _OUTCOMES.get(private.get("outcome", ""), "")
        )
    if error_id == "TOKEN-121":
        return Shown(
            wanted=("the refresh token of the last response",), hint=Hint.USED_BEFORE if private.get("spent") else ""
        )
    return Shown(hint=Hint.MISSING if error_id in _MISSING else "")


def _token(refused: Refused, *, passed: bool) -> Shown:
    return Shown(hint="" if passed else Hint.MISSING if refused.error.id == "TOKEN-200" else Hint.OTHER_CLIENT)


def _private(refused: Refused) -> dict[str, Any]:
    return refused.error.private


_MISSING: Final = _ids("TOKEN", 30, 31, 32, 120) | _ids("AUTHZ", 41)
_OUTCOMES: Final = {"unknown": Hint.UNKNOWN, "foreign": Hint.OTHER_CLIENT, "expired": Hint.EXPIRED}
_FAULTS: Final[Mapping[str, Callable[[Refused, str], Shown]]] = {
    **dict.fromkeys(("TOKEN-101", "TOKEN-112"), _claims),
    **dict.fromkeys(("TOKEN-102", "TOKEN-113"), _audience),
    **dict.fromkeys(("TOKEN-103", "TOKEN-114"), _times),
    **dict.fromkeys(("TOKEN-104", "TOKEN-115"), _used),
    "TOKEN-136": _jti,
}
_TIMES: Final = {
    "expired": Hint.EXPIRED,
    "not yet": Hint.NOT_YET_VALID,
    "too old": Hint.TOO_OLD,
    "lives too long": Hint.TOO_LONG,
}
_CLAIMS: Final = frozenset({"iss", "sub", "aud", "exp", "iat", "nbf", "jti", "iss or sub"})
_AUDIENCE_FORMS: Final = frozenset(
    {"an array", "not text", "0 members", *(f"{count} members" for count in range(5, 100))}
)

_EXPLANATIONS: Final[Mapping[str, Callable[..., Shown]]] = {
    "form": _form,
    "grant_type": _grant_type,
    "client_authentication": _client_authentication,
    "grant_type_allowed": _grant_type_allowed,
    "scope": _scope,
    "grant": _grant,
    "token": _token,
}
"""Of the checks that may show something."""
