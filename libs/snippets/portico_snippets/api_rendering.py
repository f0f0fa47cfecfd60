"""Code for APIs that check access tokens and their scopes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from portico_snippets.frameworks import Framework
from portico_snippets.rendering import SECRET, CodeUnavailable, Rendered, check_method, filled, run_with


@dataclass(frozen=True, slots=True)
class Api:
    """An API that checks access tokens.

    Attributes:
        method: the OAuth name of how it authenticates at introspection.
        roles: by scope, those of which a user needs one; a scope without any is for all users.
    """

    issuer: str
    client_id: str
    method: str
    resources: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def audience(self) -> str:
        """A resource, because tokens without a scope of the API can also have its client id in their audience."""
        return self.resources[0] if self.resources else self.client_id


def render_api(framework: Framework, api: Api) -> Rendered:
    """Raises CodeUnavailable: there is no scope to check, or the code cannot use the method."""
    if not api.scopes:
        raise CodeUnavailable("The code needs a scope of the API, such as orders.read. Add one to the API first.")
    check_method(framework, api.method)
    scopes = {"first": api.scopes[0], "second": api.scopes[min(1, len(api.scopes) - 1)]}
    texts = {
        "issuer": api.issuer,
        "client_id": api.client_id,
        "audience": api.audience,
        "first_scope": scopes["first"],
        "second_scope": scopes["second"],
    }
    literals = {name: json.dumps(text) for name, text in texts.items()}
    limits = {f"{{{{{place}_roles}}}}": api.roles.get(scope, ()) for place, scope in scopes.items()}
    code = {name: filled(_with_roles(name, text, limits), literals) for name, text in framework.files.items()}
    secret = SECRET if any(SECRET in text for text in code.values()) else ""
    return Rendered(code, framework.prepare, run_with(secret, framework.run), secret)


def _with_roles(file: str, text: str, limits: Mapping[str, tuple[str, ...]]) -> str:
    """Replaces a line that is a placeholder with a comment, or removes it where the scope is for all users."""
    mark = "#" if file.endswith(".py") else "//"
    lines = []
    for line in text.splitlines(keepends=True):
        roles = limits.get(line.strip())
        if roles is None:
            lines.append(line)
        elif roles:
            comment = f"{mark} Portico gives this scope only to users with the role {' or '.join(roles)}."
            lines.append(line.replace(line.strip(), comment))
    return "".join(lines)
