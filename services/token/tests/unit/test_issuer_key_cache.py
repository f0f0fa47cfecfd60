"""Keys of issuers in memory, with what other organizations trust."""

from __future__ import annotations

import msgspec
from portico_contracts.users import Client, IssuerKeys
from portico_fakes.assertions import registered
from portico_fakes.token_service import TokenService
from portico_fakes.workload_tokens import CI, KEY, OTHER
from portico_token.workloads.issuer_keys import MOST, OF_ORGANIZATION, IssuerKeyCache


async def test_organization_uses_up_nothing_of_others(token_service: TokenService) -> None:
    """Tokens of more issuers than are stored, all trusted by one organization, displace no keys and leave questions."""
    web = token_service.users.clients["web"]
    cache, users = IssuerKeyCache(token_service.bus, token_service.clock), token_service.users
    users.issuer_keys[CI] = IssuerKeys(keys=(registered(KEY),))
    before = await cache.find(web, CI, "k1")
    await flood(cache, msgspec.structs.replace(web, client_id="flood", org_id="flood"))
    kept = await cache.find(web, CI, "k1")
    asked = len(users.keys_asked)
    users.issuer_keys[CI] = IssuerKeys(keys=(registered(KEY), registered(OTHER)))
    rotated = await cache.find(web, CI, "k2")

    assert asked == 1 + OF_ORGANIZATION
    assert kept == before
    assert [key.kid for key in rotated] == ["k1", "k2"]


async def flood(cache: IssuerKeyCache, client: Client) -> None:
    for number in range(MOST + 1):
        await cache.find(client, f"https://{number}.flood.example", "k1")


async def test_flood_about_one_issuer_leaves_questions_about_others(token_service: TokenService) -> None:
    """Anyone can send tokens with made-up kids: they use up what is for this issuer, not what is for its organization."""
    web, users = token_service.users.clients["web"], token_service.users
    cache = IssuerKeyCache(token_service.bus, token_service.clock)
    users.issuer_keys[CI] = IssuerKeys(keys=(registered(KEY),))
    for number in range(2 * OF_ORGANIZATION):
        await cache.find(web, "https://flood.example", f"made-up-{number}")

    assert [key.kid for key in await cache.find(web, CI, "k1")] == ["k1"]
