from __future__ import annotations

from portico_authz.checked_request import UNKNOWN_AGENT, UserAgent
from portico_authz.dependencies import Dependencies


def agent_at(deps: Dependencies, address: str) -> UserAgent:
    """The user agent of a call of the login pages, of which only the address is known."""
    if not address:
        return UNKNOWN_AGENT
    return UserAgent(address=address, country=deps.countries.find(address) if deps.countries else "")
