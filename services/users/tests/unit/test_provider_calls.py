"""A provider that is slow, or answers what is costly to read, delays its own people only."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack

import pytest
from portico_fakes.clock import FrozenClock
from portico_oauth.errors import ServiceError
from portico_runtime.outbound import OutboundResponse
from portico_users.federation.provider_calls import (
    AT_ONCE,
    OF_ONE_PROVIDER,
    ProviderCalls,
    fetch_list,
    fetch_object,
    read_object,
)
from portico_users.federation.provider_metadata import Discovery, FetchedDocuments
from portico_users.federation.verification_keys import KeySets
from portico_users.kernel.operator_settings import OutboundAllowed


async def test_a_slow_provider_takes_no_place_of_others() -> None:
    """However many wait for it; those get an answer at the deadline (USER-978)."""
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
    # Counted before the deadline: a place that is free at the deadline may be
    # taken for an instant by one that waits.
    assert len(asked) == OF_ONE_PROVIDER
    ended = await asyncio.gather(*waiting, return_exceptions=True)

    assert {one.id for one in ended if isinstance(one, ServiceError)} == {"USER-978"}
    assert len([one for one in ended if isinstance(one, ServiceError)]) == 2 * AT_ONCE


async def test_a_place_is_free_again() -> None:
    """Also after an error of the call, and after a deadline."""
    calls = ProviderCalls(seconds=0.05)
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
    """Answers every question, and records how much its caller would read."""

    def __init__(self) -> None:
        self.limits: list[int] = []
        self.document: bytes = b"{}"

    async def get(self, url: str, headers: Mapping[str, str] | None = None, *, limit: int = 65_536) -> OutboundResponse:
        self.limits.append(limit)
        return OutboundResponse(200, self.document)

    async def exchange(self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        raise AssertionError(url)


async def test_only_a_key_set_may_be_large() -> None:
    """256 KiB of a key set; 64 KiB of metadata, userinfo and addresses, as of the answer of a token endpoint (RX-08)."""
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


@pytest.mark.parametrize("element", [b"{}", b"[]", b"1", b'{"a":[]}', b'""'])
def test_the_elements_of_a_document_are_counted_before_they_are_built(element: bytes) -> None:
    """Three thousand are read, ten thousand are not (USER-962, RX-08)."""
    few = read_object(b'{"a":[' + b",".join([element] * 3_000) + b"]}", "https://house.example")
    with pytest.raises(ServiceError) as refused:
        read_object(b'{"a":[' + b",".join([element] * 10_001) + b"]}", "https://house.example")

    assert isinstance(few["a"], list)
    assert len(few["a"]) == 3_000
    assert (refused.value.id, refused.value.private["cause"]) == ("USER-962", "too many elements")
