from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from portico_snippets.frameworks import Framework

DEFAULT_PORT: Final = 3000
"""Port where the redirect URI names none: behind a proxy."""

RESERVED_PATHS: Final = frozenset({"", "/", "/login"})

SECRET: Final = "CLIENT_SECRET"

_PLAIN: Final = re.compile(r"[A-Za-z0-9 ._~:/?=&%+@-]*")
"""Values that need no quoting in any configuration format."""

_PLACEHOLDER: Final = re.compile(r"\{\{([a-z_]+)\}\}")


class CodeUnavailable(ValueError):
    pass


@dataclass(frozen=True, slots=True)
class Application:
    """`method` is the OAuth one: ``client_secret_basic``, ``client_secret_post`` or ``none``.

    `needs_proofs`: it refuses token requests without a DPoP proof (RFC 9449).
    `resource` names the only API that access tokens are for (RFC 8707); userinfo refuses such tokens, so that only code
    that reads its users from the id_token sends it.
    """

    issuer: str
    client_id: str
    redirect_uri: str
    method: str
    scope: str = "openid profile email"
    resource: str = ""
    needs_proofs: bool = False


@dataclass(frozen=True, slots=True)
class Rendered:
    """`files` is text by relative path; `secret_variable` is an environment variable, or empty."""

    files: Mapping[str, str]
    prepare: str
    run: str
    secret_variable: str


VALUES: Final[Mapping[str, Callable[[Application], str]]] = {
    "issuer": lambda app: app.issuer,
    "client_id": lambda app: app.client_id,
    "redirect_uri": lambda app: app.redirect_uri,
    "redirect_path": lambda app: urlsplit(app.redirect_uri).path,
    "scope": lambda app: app.scope,
    "method": lambda app: app.method,
}
"""Placeholders with string literals. Additionally ``resource`` and ``further_scopes`` (all but the first, with
commas) are literals, ``scopes`` is a list of them, ``port``, ``is_https``, ``client_authentication`` and ``resource_parameter`` are inserted unquoted, and ``plain_…`` is each value without quotes.
"""


def render(framework: Framework, application: Application) -> Rendered:
    """Raises CodeUnavailable: the redirect URI is not that of a web server, or the code lacks the method or DPoP."""
    if application.needs_proofs and not framework.proofs:
        raise CodeUnavailable(
            f"The application requires DPoP, and the code for {framework.title} sends no proofs. Use a library with"
            " DPoP, such as openid-client 6."
        )
    address = urlsplit(application.redirect_uri)
    if not framework.device:
        _check_address(framework, address)
    check_method(framework, application.method)
    if framework.plain and not all(_PLAIN.fullmatch(read(application)) for read in VALUES.values()):
        raise CodeUnavailable(
            f"The configuration of {framework.title} cannot hold characters that are in these values."
        )
    values = {name: json.dumps(read(application)) for name, read in VALUES.items()}
    values |= {f"plain_{name}": read(application) for name, read in VALUES.items()}
    values["plain_redirect_origin"] = f"{address.scheme}://{address.netloc}"
    values["is_https"] = "true" if address.scheme == "https" else "false"
    values["scopes"] = json.dumps(application.scope.split())
    values["further_scopes"] = json.dumps(",".join(application.scope.split()[1:]))
    values["resource"] = json.dumps(application.resource)
    values["port"] = str(address.port or DEFAULT_PORT)
    values["client_authentication"] = framework.methods[application.method]
    values["resource_parameter"] = filled(framework.resource, values) if application.resource else ""
    values |= {name: text if application.needs_proofs else "" for name, text in framework.proofs.items()}
    texts = {name: filled(text, values) for name, text in framework.files.items()}
    secret = "" if application.method == "none" else SECRET
    return Rendered(texts, framework.prepare, run_with(secret, filled(framework.run, values)), secret)


def run_with(secret: str, command: str) -> str:
    """Returns the command after a line that sets the variable of the secret, if there is one."""
    return "\n".join(filter(None, [f"export {secret}=…  # the client secret" if secret else "", command]))


def check_method(framework: Framework, method: str) -> None:
    if method not in framework.methods:
        known = ", ".join(framework.methods)
        raise CodeUnavailable(f"The code for {framework.title} needs {known} as authentication, not {method}.")


def _check_address(framework: Framework, address: SplitResult) -> None:
    """The path must be the fixed one of the framework, or one that the code does not use itself."""
    path = address.path
    if address.scheme not in ("http", "https"):
        raise CodeUnavailable(f"The code for {framework.title} needs a redirect URI with http or https.")
    if framework.redirect_path:
        if (path or "/") != framework.redirect_path:
            raise CodeUnavailable(f"{framework.title} needs a redirect URI with the path {framework.redirect_path}.")
    elif path in RESERVED_PATHS:
        raise CodeUnavailable(
            "The code needs a redirect URI with a path of its own, such as /cb; / and /login are taken."
        )


def filled(text: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)
