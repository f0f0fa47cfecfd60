"""docs/generated/grants.md: every grant type, who may register for it, and its token requests."""

from __future__ import annotations

from portico_oauth.grant_types import GRANT_TYPES, GrantType
from portico_token.grants import GRANTS
from portico_token.grants.protocol import ClientIdentification

from generated_pages.markdown import code, first_line, page_of, table


def grants_page() -> str:
    """Lists all grant types in the order of the discovery document, then their token requests."""
    return page_of(
        "Grant types",
        "From `libs/oauth/portico_oauth/grant_types.py`. The discovery document lists these, optional ones only while an active "
        "application has them.",
        table(
            ["Grant type", "Name in the application settings", "Service users", "Optional"],
            map(_registration, GRANT_TYPES),
        ),
        "## At the token endpoint",
        table(
            ["Grant type", "Description", "Client authentication", "Parameters", "`scope`", "id_token"],
            [_request(row) for row in GRANT_TYPES if row.at_token_endpoint],
        ),
    )


def _registration(row: GrantType) -> list[str]:
    return [
        code(row.value),
        code(row.name or ""),
        "always" if row.service_users else "",
        "optional" if row.optional else "",
    ]


def _request(row: GrantType) -> list[str]:
    grant = GRANTS[row.value]
    by_assertion = grant.client is ClientIdentification.ASSERTION
    return [
        code(row.value),
        first_line(grant.__doc__),
        code("assertion") if by_assertion else ", ".join(code(method) for method in sorted(grant.methods)),
        ", ".join(code(name) for name in sorted(grant.parameters)),
        grant.scope.value,
        grant.id_token.value,
    ]
