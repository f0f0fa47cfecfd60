"""Code for APIs that check access tokens and their scopes."""

from __future__ import annotations

import json
from dataclasses import dataclass

from portico_snippets.frameworks import Framework
from portico_snippets.rendering import SECRET, CodeUnavailable, Rendered, check_method, filled, run_with


@dataclass(frozen=True, slots=True)
class Api:
    """`method` is the OAuth name of how it authenticates at introspection."""

    issuer: str
    client_id: str
    method: str
    resources: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()

    @property
    def audience(self) -> str:
        """A resource, because tokens without a scope of the API can also have its client id in their audience."""
        return self.resources[0] if self.resources else self.client_id


def render_api(framework: Framework, api: Api) -> Rendered:
    """Raises CodeUnavailable: there is no scope to check, or the code cannot use the method."""
    if not api.scopes:
        raise CodeUnavailable("The code needs a scope of the API, such as orders.read. Add one to the API first.")
    check_method(framework, api.method)
    texts = {
        "issuer": api.issuer,
        "client_id": api.client_id,
        "audience": api.audience,
        "first_scope": api.scopes[0],
        "second_scope": api.scopes[min(1, len(api.scopes) - 1)],
    }
    literals = {name: json.dumps(text) for name, text in texts.items()}
    code = {name: filled(text, literals) for name, text in framework.files.items()}
    secret = SECRET if any(SECRET in text for text in code.values()) else ""
    return Rendered(code, framework.prepare, run_with(secret, framework.run), secret)
