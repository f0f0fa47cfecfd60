"""Unknown names under first-factor rules: the same bytes after the same work as known ones (LG-01, decision 0143)."""

from __future__ import annotations

import pytest
from portico_contracts.users import FirstFactor
from portico_fakes.authz_service import ADA, AuthzService, FakeBrowser
from portico_fakes.memory_bus import MemoryBus

from .test_first_factors import RULES, authz, restrict

__all__ = ["authz"]

_UNKNOWN = ("nobody", "ad", "\u00e9\u00e8", "x" * 150)


async def sampled(authz: AuthzService, bus: MemoryBus, name: str) -> tuple[int, bytes, list[str]]:
    """Status, bytes without the name and the random token, and messages of the answer to a name."""
    visitor: FakeBrowser = authz.browser()
    id = await visitor.begin()
    shown = await visitor.ask(id)
    bus.called.clear()
    response = await visitor.answer_raw(id, shown, login_name=name)
    called = list(bus.called)
    csrf = (await visitor.ask(id)).csrf
    body = response.content.replace(csrf.encode(), b"").replace(name.encode(), b"")
    return response.status_code, body, called


@pytest.mark.parametrize("rule", RULES, ids="+".join)
async def test_unknown_name_has_the_bytes_and_the_work_of_a_known_one(
    authz: AuthzService, bus: MemoryBus, rule: tuple[FirstFactor, ...]
) -> None:
    """Also where the known user has a passkey, and none of the allowed methods fits the other one."""
    restrict(authz, rule)
    await sampled(authz, bus, "warm")  # what is cached afterwards depends on no name
    known = await sampled(authz, bus, "ada")
    unknown = [await sampled(authz, bus, name) for name in _UNKNOWN]

    assert known[0] == 200
    assert ADA.user_id.encode() not in known[1]
    assert unknown == [known] * len(_UNKNOWN)
