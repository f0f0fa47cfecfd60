"""What users allowed, as tests write it."""

from __future__ import annotations

from collections.abc import Iterable

from portico_contracts.users import ApiScope, ConsentFound


def consent_of(allowed: Iterable[str | ApiScope], version: str, org_id: str) -> ConsentFound:
    """A text is a scope that no API defines, as an older release stored every scope."""
    parts = tuple(allowed)
    return ConsentFound(
        scopes=tuple(one for one in parts if isinstance(one, str)),
        of_apis=tuple(one for one in parts if isinstance(one, ApiScope)),
        version=version,
        org_id=org_id,
    )
