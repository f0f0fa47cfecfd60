"""How often client-ID metadata documents are requested: everybody may name one, without an account (decision 0112)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import GET_CLIENT_BY_URL, ClientFound, GetClient
from portico_oauth.errors import ServiceError

from .metadata_host import Host

pytestmark = pytest.mark.servers

OF_DOCUMENT, OF_ADDRESS, OF_ENTRY = 4, 10, 60


async def ask(host: Host, client_id: str = "", address: str | None = "attacker", **asked: Any) -> ClientFound:
    message = GetClient(client_id=client_id or host.client_id, client_address=address, **asked)
    found: ClientFound = await host.world.call(GET_CLIENT_BY_URL, message)
    return found


async def refused(host: Host, client_id: str = "", address: str = "attacker") -> str:
    """The error id, or nothing."""
    try:
        await ask(host, client_id, address)
    except ServiceError as error:
        return error.id
    return ""


async def use_up_the_entry(host: Host) -> None:
    """From as many addresses as it takes."""
    for number in range(OF_ENTRY + 5):
        await refused(host, f"{host.client_id}?{number}", f"attacker {number // OF_ADDRESS}")


async def test_document_in_use_has_a_budget_of_its_own(host: Host) -> None:
    """Whatever is requested of its host meanwhile."""
    await host.allow_openid()
    host.world.clock.tick(3_600)
    await use_up_the_entry(host)
    host.world.providers.asked.clear()

    assert (await ask(host, address=None)).client
    assert host.world.providers.asked == [host.client_id]


async def test_client_address_has_a_limit(host: Host) -> None:
    """Beyond it, only documents that are not in use are refused to this address, for a minute."""
    made_up = [await refused(host, f"{host.client_id}?{number}") for number in range(OF_ADDRESS + 2)]
    same, other = await refused(host), await ask(host, address="another")
    host.world.clock.tick(60)

    assert made_up == [""] * OF_ADDRESS + ["USER-780"] * 2
    assert same == "USER-780"
    assert other.client
    assert await refused(host, f"{host.client_id}?last") == ""


async def test_host_of_the_policy_has_a_limit(host: Host) -> None:
    """For all addresses and subdomains together; another host of the policies is not affected."""
    other = Host(host.world)
    other.name = f"other-{host.name}"
    other.client_id = f"https://{other.name}/client.json"
    other.serve({"client_id": other.client_id, "redirect_uris": [f"https://{other.name}/cb"]})
    await host.allow(hosts=[host.name, other.name])
    await use_up_the_entry(host)

    assert host.world.providers.asked.count(host.client_id) == 0
    assert len(host.world.providers.asked) == OF_ENTRY
    assert await refused(host, address="another") == "USER-780"
    assert (await ask(other, address="another")).client


async def test_made_up_subdomains_use_up_nothing(host: Host) -> None:
    """A name counts for the host of the policy once it is resolved."""
    for number in range(OF_ENTRY + 5):
        name = f"made-up-{number}.{host.name}"
        host.world.providers.unresolved.add(name)
        assert await refused(host, f"https://{name}/c", f"attacker {number // OF_ADDRESS}") == ""

    assert host.world.providers.asked == []
    assert (await ask(host, address="another")).client


async def test_failing_document_in_use_has_a_limit(host: Host) -> None:
    """While its host does not respond, it is tried a few times a minute, and the last document is used."""
    await host.allow_openid()
    del host.world.providers.answers[host.client_id]
    host.world.clock.tick(3_600)
    host.world.providers.asked.clear()
    found = [(await ask(host, address=None)).client for _ in range(OF_DOCUMENT + 3)]

    assert all(found)
    assert host.fetched == OF_DOCUMENT


async def test_unused_document_waits_for_the_address(host: Host) -> None:
    """Requests that do not know it fetch nothing."""
    due = await ask(host, address=None)
    fetched = host.fetched
    known = await ask(host)

    assert (due.client, due.is_due, fetched) == (None, True, 0)
    assert known.client
    assert (await ask(host, address=None)).client
