"""Fills the values of an application into the code of a framework."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from portico_snippets.frameworks import Framework

DEFAULT_PORT: Final = 3000
"""Where the code listens when the redirect URI names no port: behind a proxy."""

RESERVED_PATHS: Final = frozenset({"", "/", "/login"})
"""Paths the code itself uses."""

_PLACEHOLDER: Final = re.compile(r"\{\{([a-z_]+)\}\}")


class CodeUnavailable(ValueError):
    """There is no code for this application; the text is a sentence with the reason."""


@dataclass(frozen=True, slots=True)
class Application:
    """What the code is for.

    Attributes:
        method: the client authentication method of OAuth (``client_secret_basic``, ``client_secret_post``, ``none``).
    """

    issuer: str
    client_id: str
    redirect_uri: str
    method: str
    scope: str = "openid profile email"


@dataclass(frozen=True, slots=True)
class Rendered:
    """Code for one application.

    Attributes:
        files: text by relative path.
        secret_variable: the environment variable it reads the client secret from; empty for a public client.
    """

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
"""The values of placeholders, beside ``scopes``, a list of such literals, and ``port`` and
``client_authentication``, which are inserted as they are."""


def render(framework: Framework, application: Application) -> Rendered:
    """The code of a framework for an application.

    Raises:
        CodeUnavailable: when the redirect URI is not one of a web server, or the library lacks the method.
    """
    address = urlsplit(application.redirect_uri)
    if address.scheme not in ("http", "https"):
        raise CodeUnavailable(f"The code for {framework.title} needs a redirect URI with http or https.")
    if address.path in RESERVED_PATHS:
        raise CodeUnavailable(
            "The code needs a redirect URI with a path of its own, such as /cb; / and /login are taken."
        )
    if application.method not in framework.methods:
        known = ", ".join(framework.methods)
        raise CodeUnavailable(
            f"The code for {framework.title} needs {known} as authentication, not {application.method}."
        )
    values = {name: json.dumps(read(application)) for name, read in VALUES.items()}
    values["scopes"] = json.dumps(application.scope.split())
    values["port"] = str(address.port or DEFAULT_PORT)
    values["client_authentication"] = framework.methods[application.method]
    texts = {name: _filled(text, values) for name, text in framework.files.items()}
    return Rendered(texts, framework.prepare, framework.run, "" if application.method == "none" else "CLIENT_SECRET")


def _filled(text: str, values: Mapping[str, str]) -> str:
    """The text with values for placeholders; an unknown placeholder is a mistake of the data."""
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)
