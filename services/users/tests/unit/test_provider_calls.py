"""Identity providers that are slow, or whose responses are costly to parse, delay only their own users."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Self

import msgspec
import pytest
from portico_fakes.clock import FrozenClock
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import OutboundResponse
from portico_runtime.http_client.outbound_connection import TooLarge
from portico_users.identity_providers.federation.provider_calls import (
    AT_ONCE,
    OF_ONE_PROVIDER,
    ProviderCalls,
    client_of,
    fetch_list,
    fetch_object,
    read_object,
)
from portico_users.identity_providers.federation.provider_metadata import Discovery, FetchedDocuments
from portico_users.identity_providers.federation.verification_keys import KeySets
from portico_users.identity_providers.idp import Idp, OidcConfig
from portico_users.values.operator_settings import OutboundAllowed


async def test_slow_provider_takes_no_capacity_of_others() -> None:
    """However many callers wait for it, others are served; the waiting ones fail at the deadline (USER-978)."""
    calls = ProviderCalls(seconds=1.0)
    asked: list[str] = []

    async def ask_slow() -> None:
        async with calls.place("slow"):
            asked.append("slow")
            await asyncio.Event().wait()

    waiting = [asyncio.create_task(ask_slow()) for _ in range(2 * AT_ONCE)]
    await asyncio.sleep(0)
    async with AsyncExitStack() as stack:
        for number in range(AT_ONCE - OF_ONE_PROVIDER):
            await stack.enter_async_context(calls.place(f"quick-{number}"))
    # Counted before the deadline: a place freed at the deadline may be taken briefly by a waiting caller.
    assert len(asked) == OF_ONE_PROVIDER
    ended = await asyncio.gather(*waiting, return_exceptions=True)

    assert {one.id for one in ended if isinstance(one, ServiceError)} == {"USER-978"}
    assert len([one for one in ended if isinstance(one, ServiceError)]) == 2 * AT_ONCE


async def test_place_is_released() -> None:
    """A place is also released after an error or a timeout of the call."""
    calls = ProviderCalls(seconds=0.001)
    for _ in range(2 * OF_ONE_PROVIDER):
        with pytest.raises(ValueError, match="of the call"):
            async with calls.place("idp"):
                raise ValueError("of the call")
        with pytest.raises(ServiceError):
            async with calls.place("idp"):
                await asyncio.Event().wait()
    async with calls.place("idp"):
        pass


class _Limits:
    def __init__(self) -> None:
        self.limits: list[int] = []
        self.owners: list[str] = []
        self.document: bytes = b"{}"

    async def get(self, url: str, headers: Mapping[str, str] | None = None, *, limit: int = 65_536) -> OutboundResponse:
        self.limits.append(limit)
        return OutboundResponse(200, self.document)

    def kept_for(self, owner: str) -> Self:
        self.owners.append(owner)
        return self

    async def resolve(self, url: str) -> None:
        raise AssertionError(url)

    async def exchange(self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        raise AssertionError(url)


async def test_only_key_sets_may_be_large() -> None:
    """The limit is 256 KiB for a key set, and 64 KiB for metadata, userinfo, addresses and token responses (RX-08)."""
    client, clock = _Limits(), FrozenClock()
    documents = FetchedDocuments(client, clock)
    client.document = b'{"keys": []}'
    await KeySets(documents).find("idp", "https://house.example/keys", {"alg": "RS256"})
    with pytest.raises(ServiceError):
        await Discovery(documents, OutboundAllowed(frozenset())).find("idp", "https://house.example", ("x",))
    await fetch_object(client, "https://house.example/userinfo")
    client.document = b"[]"
    await fetch_list(client, "https://house.example/emails", {})

    assert client.limits == [262_144, 65_536, 65_536, 65_536]


def test_connections_are_of_one_version_of_a_provider() -> None:
    """Neither another provider nor the same one after a change uses them (decision 0163)."""
    client = _Limits()
    first = Idp(id="a", org_id="org", name="A", version="1", config=OidcConfig(issuer="https://a", client_id="c"))
    changed = msgspec.structs.replace(first, version="2")
    for idp in (first, changed, msgspec.structs.replace(first, id="b"), first):
        client_of(idp, client)

    assert client.owners[0] == client.owners[3]
    assert len(set(client.owners)) == 3


@pytest.mark.parametrize(("status", "error"), [(200, "USER-962"), (404, "USER-962"), (503, "USER-961")])
async def test_large_response_is_no_missing_one(status: int, error: str) -> None:
    """Its status decides, so that an administrator does not search for a fault of the network."""

    class Large(_Limits):
        async def get(self, *_: object, **__: object) -> OutboundResponse:
            raise TooLarge(status)

    with pytest.raises(ServiceError) as refused:
        await fetch_object(Large(), "https://house.example/userinfo")

    assert refused.value.id == error


@pytest.mark.parametrize("element", [b"{}", b"[]", b"1", b'{"a":[]}', b'""'])
def test_json_elements_are_counted_before_parsing(element: bytes) -> None:
    """Three thousand elements are accepted, ten thousand are not (USER-962, RX-08)."""
    few = read_object(b'{"a":[' + b",".join([element] * 3_000) + b"]}", "https://house.example")
    with pytest.raises(ServiceError) as refused:
        read_object(b'{"a":[' + b",".join([element] * 10_001) + b"]}", "https://house.example")

    assert isinstance(few["a"], list)
    assert len(few["a"]) == 3_000
    assert (refused.value.id, refused.value.private["cause"]) == ("USER-962", "too many elements")
