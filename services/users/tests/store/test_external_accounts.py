"""Linking identities to accounts and creating accounts for them (IP-06)."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from portico_contracts.users import Profile, ProviderRedirect, VerifiedIdentity
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.commands.external_accounts import Audience, CreateExternalUser, LinkIdentity
from portico_users.identity_providers.federation.offered import OfferedProviders
from portico_users.identity_providers.store import MongoIdps
from portico_users.organizations.org import MongoOrgs
from portico_users.storage.transactions import run_transaction

pytestmark = pytest.mark.servers


async def _register(external: Any, name: str = "ada") -> str:
    world = external.world
    sent = await world.register(world.mail(name))
    user = await world.verify(sent.challenge, await world.newest_code(world.mail(name)))
    assert user is not None
    return str(user.user_id)


async def _error(call: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        await call
    return refused.value.id


async def test_a_linked_identity_signs_in(external: Any) -> None:
    """A linked identity signs in the linked user every time; the user is unchanged."""
    await external.set_up()
    user_id = await _register(external)
    linked = await external.link(await external.identity(), user_id)
    done = await external.finish(external.jwt(name="Other", iat=external.world.clock.now() - 1))

    assert (linked.user_id, done.onward, done.user.user_id) == (user_id, ProviderRedirect.SIGNED_IN, user_id)
    assert done.user.display_name == "Eve Example"


async def test_verified_address_only_offers_an_account(external: Any) -> None:
    """With an address verified at the provider and proven here, the user must authenticate to the account before
    it is linked (IP-06).
    """
    await external.set_up(autoLinking="AUTO_LINKING_OPTION_EMAIL", auto=True)
    user_id = await _register(external)
    done = await external.finish(external.jwt())
    (human,) = await external.people()

    assert (done.onward, done.user.user_id, done.may_create) == (ProviderRedirect.PROVE, user_id, True)
    assert human["idpLinks"] == []


@pytest.mark.parametrize("verified", [False, None, "true", 1])
async def test_unverified_address_offers_no_account(external: Any, verified: Any) -> None:
    """Only the boolean true counts as verified (IP-06)."""
    await external.set_up(autoLinking="AUTO_LINKING_OPTION_EMAIL")
    await _register(external)

    assert (await external.finish(external.jwt(email_verified=verified))).onward is ProviderRedirect.COMPLETE


async def test_asserted_address_offers_no_account(external: Any) -> None:
    """An account that someone else prepared with the user's address is not offered (IP-06)."""
    prepared = external.world.human(
        username="prepared", email={"email": external.world.mail("ada"), "isVerified": True}
    )
    prepared["username"] = f"prepared-{external.world.tag}"
    await external.set_up(humans=[prepared], autoLinking="AUTO_LINKING_OPTION_EMAIL")

    assert (await external.finish(external.jwt())).onward is ProviderRedirect.COMPLETE


async def test_user_name_only_offers_an_account(external: Any) -> None:
    """An equal user name offers an account like an address does; without linking, or with the other option,
    nothing is offered (IP-06).
    """
    there = {"humans": [external.world.human(id=f"alice-{external.world.tag}")]}
    jwt = {"preferred_username": external.world.user_name}
    await external.set_up(**there, autoLinking="AUTO_LINKING_OPTION_USERNAME")
    by_name = await external.finish(external.jwt(**jwt))
    await external.set_up(**there, autoLinking="AUTO_LINKING_OPTION_USERNAME", isLinkingAllowed=False)
    forbidden = await external.finish(external.jwt(sub="2", **jwt))
    await external.set_up(**there, autoLinking="AUTO_LINKING_OPTION_EMAIL")
    by_email = await external.finish(external.jwt(sub="3", **jwt))

    assert (by_name.onward, by_name.user.user_id) == (ProviderRedirect.PROVE, f"alice-{external.world.tag}")
    assert (forbidden.onward, forbidden.may_link, forbidden.missing) == (
        ProviderRedirect.COMPLETE,
        False,
        ("user_name",),
    )
    assert (by_email.onward, by_email.user) == (ProviderRedirect.COMPLETE, None)


async def test_account_is_created_automatically(external: Any) -> None:
    """The account is created in the provider's organization with an asserted, unproven address; 20 concurrent
    sign-ins create one (IP-06).
    """
    await external.set_up(auto=True)
    done = await asyncio.gather(*(external.finish(external.jwt(iat=external.world.clock.now() - n)) for n in range(20)))
    (human,) = await external.people()
    again = await external.finish(external.jwt(jti="again"))

    assert {(one.onward, one.user.user_id) for one in [*done, again]} == {(ProviderRedirect.SIGNED_IN, human["_id"])}
    assert (human["userName"], human["firstName"], human["displayName"]) == (
        f"ada-{external.world.tag}",
        "Ada",
        "Countess Ada",
    )
    assert (human["emailVerified"], human["emailProof"]["kind"]) == (True, "asserted")
    assert (human["idpLinks"][0]["userId"], human["idpLinks"][0]["issuer"]) == ("ada-there", "https://portal.example")


@pytest.mark.parametrize(
    ("changed", "missing"),
    [
        ({"given_name": None}, ("first_name",)),
        ({"email": "no address"}, ("email",)),
        ({"given_name": 7, "email": None}, ("first_name", "email")),
    ],
)
async def test_missing_values_are_requested(external: Any, changed: dict[str, Any], missing: tuple[str, ...]) -> None:
    """No account is created automatically without a first name or an address."""
    await external.set_up(auto=True)
    done = await external.finish(external.jwt(**changed))

    assert (done.onward, done.missing, await external.people()) == (ProviderRedirect.COMPLETE, missing, [])


async def test_taken_user_name_is_not_linked(external: Any) -> None:
    """The user must choose another user name, and the account that has it is unchanged (IP-06)."""
    await external.set_up(humans=[external.world.human()], auto=True)
    jwt = external.jwt(preferred_username=external.world.user_name)
    done = await external.finish(jwt)
    refused = await _error(external.create(done.identity))
    created = await external.create(done.identity, user_name=f"ada2-{external.world.tag}")

    assert (done.onward, done.missing, refused) == (ProviderRedirect.COMPLETE, ("user_name",), "USER-011")
    assert created.user_name == f"ada2-{external.world.tag}"
    assert len(await external.people()) == 2


async def test_no_account_is_created_where_forbidden(external: Any) -> None:
    """The response states it, instead of a form that would fail."""
    await external.set_up(isCreationAllowed=False, auto=True)
    done = await external.finish(external.jwt())

    assert (done.onward, done.may_link) == (ProviderRedirect.NO_ACCOUNT, True)
    assert await _error(external.create(done.identity)) == "USER-974"
    assert await external.people() == []


async def test_edited_address_is_not_verified(external: Any) -> None:
    """Only the address that the provider vouches for is verified; 20 concurrent submissions create one account
    (IP-06).
    """
    await external.set_up()
    identity = await external.identity()
    first, *others = await asyncio.gather(
        *(external.create(identity, email=external.world.mail("other")) for _ in range(20))
    )
    (human,) = await external.people()

    assert {one.user_id for one in others} == {first.user_id} == {human["_id"]}
    assert (human["email"], human["emailVerified"]) == (external.world.mail("other"), False)


async def test_linking_is_idempotent(external: Any) -> None:
    """Twenty concurrent requests write one link; an identity linked to another user is refused (USER-610), with
    an event.
    """
    await external.set_up(humans=[external.world.human(id=f"alice-{external.world.tag}")])
    user_id = await _register(external)
    identity = await external.identity()
    linked = await asyncio.gather(*(external.link(identity, user_id) for _ in range(20)))
    (human,) = [one for one in await external.people() if one["_id"] == user_id]

    assert {one.user_id for one in linked} == {user_id}
    assert [one["userId"] for one in human["idpLinks"]] == ["ada-there"]
    assert await _error(external.link(identity, f"alice-{external.world.tag}")) == "USER-610"
    assert await external.refusals() == ["USER-610"]


async def test_identity_must_be_recent_and_of_this_provider(external: Any) -> None:
    """An identity is valid for 10 minutes, and a change of the provider's configuration in between ends the
    sign-in (IP-06).
    """
    await external.set_up()
    user_id = await _register(external)
    identity = await external.identity()
    stale = msgspec.structs.replace(identity, verified_at=identity.verified_at - 601)
    changed = msgspec.structs.replace(identity, version="another")

    assert await _error(external.link(stale, user_id)) == "USER-971"
    assert await _error(external.create(stale)) == "USER-971"
    assert await _error(external.link(changed, user_id)) == "USER-972"
    assert await _error(external.create(changed)) == "USER-972"


@pytest.mark.parametrize("how", [{"offered": False}, {"active": False}, {"offered": {"allowExternalIdp": False}}])
async def test_provider_must_still_be_offered_when_linking(external: Any, how: dict[str, Any]) -> None:
    """A provider that is no longer offered after the callback neither links nor creates an account (IP-06)."""
    await external.set_up()
    user_id = await _register(external)
    identity = await external.identity()
    await external.set_up(**how)

    assert await _error(external.link(identity, user_id)) == "USER-960"
    assert await _error(external.create(identity)) == "USER-960"


async def test_linking_must_be_allowed(external: Any) -> None:
    """An account is not linked, even if its owner authenticated, where the option forbids it (IP-06)."""
    await external.set_up(isLinkingAllowed=False)
    user_id = await _register(external)

    assert await _error(external.link(await external.identity(), user_id)) == "USER-973"


async def test_inactive_user_is_not_signed_in(external: Any) -> None:
    """An inactive user is refused at the callback too, and is not linked (IP-06)."""
    alice = {"id": f"alice-{external.world.tag}"}
    await external.set_up(humans=[external.world.human(**alice)])
    await external.link(await external.identity(), alice["id"])
    users = external.world.parts.mongo.database["users"]
    await users.update_one({"_id": alice["id"]}, {"$set": {"state": "inactive"}})

    assert await _error(external.finish(external.jwt(jti="2"))) == "USER-975"
    assert await _error(external.link(await _other(external), alice["id"])) == "USER-975"


async def _other(external: Any) -> VerifiedIdentity:
    found: VerifiedIdentity = await external.identity(sub="another")
    return found


async def test_link_is_bound_to_its_issuer(external: Any) -> None:
    """With another issuer the same subject may be another user (IP-06)."""
    await external.set_up(auto=True)
    done = await external.finish(external.jwt())
    database = external.world.parts.mongo.database
    await database["users"].update_one(
        {"_id": done.user.user_id}, {"$set": {"idpLinks.0.issuer": "https://old.example"}}
    )

    assert await _error(external.finish(external.jwt(jti="2"))) == "USER-977"


async def test_update_follows_the_provider(external: Any) -> None:
    """An update changes names, picture and language, but never the user name or the address (IP-06)."""
    await external.set_up(auto=True, isAutoUpdate=True)
    await external.finish(external.jwt())
    new = {"given_name": "Augusta", "name": None, "locale": "fr", "picture": "https://portal.example/ada.png"}
    new |= {"email": external.world.mail("new"), "preferred_username": "new"}
    await external.finish(external.jwt(**new))
    (human,) = await external.people()

    assert (human["firstName"], human["preferredLanguage"], human["picture"]) == ("Augusta", "fr", new["picture"])
    assert (human["userName"], human["email"]) == (f"ada-{external.world.tag}", external.world.mail("ada"))


async def test_picture_must_be_an_https_url(external: Any) -> None:
    """Applications display the picture as an image, so only https URLs are stored (MG-20)."""
    await external.set_up(auto=True)
    await external.finish(external.jwt(picture="javascript:alert(1)"))
    (human,) = await external.people()

    assert human["picture"] == ""


async def test_form_errors_are_not_failed_sign_ins(external: Any) -> None:
    """The form is shown again, and no event is written for the provider's administrators."""
    await external.set_up()
    identity = await external.identity()

    assert await _error(external.create(identity, first_name="")) == "USER-002"
    assert await _error(external.create(identity, email="none")) == "USER-005"
    assert await external.refusals() == []
    assert identity.profile != Profile()


async def test_user_of_another_organization_is_not_linked(external: Any) -> None:
    """The organization of the request limits which users an identity can be linked to (IP-06)."""
    tag = external.world.tag
    other = {"name": f"Other {tag}", "id": f"other-{tag}", "humans": [external.world.human(id=f"olga-{tag}")]}
    await external.world.apply(other)
    await external.set_up()

    assert await _error(external.link(await external.identity(), f"olga-{tag}")) == "USER-976"
    assert await external.refusals() == ["USER-976"]


async def test_linked_user_of_another_organization_is_refused(external: Any) -> None:
    """A request that names an organization signs in no user of another one, whatever is linked (IP-06)."""
    await external.set_up(auto=True)
    tag = external.world.tag
    done = await external.finish(external.jwt())
    await external.world.apply({"name": f"Other {tag}", "id": f"other-{tag}"})
    users = external.world.parts.mongo.database["users"]
    await users.update_one({"_id": done.user.user_id}, {"$set": {"orgId": f"other-{tag}"}})

    assert await _error(external.finish(external.jwt(jti="2"))) == "USER-976"


@pytest.mark.parametrize(
    ("how", "error_code"),
    [
        ({"active": False}, "USER-972"),
        ({"offered": False}, "USER-960"),
        ({"offered": {"allowExternalIdp": False}}, "USER-960"),
    ],
)
async def test_transaction_checks_the_provider_again(external: Any, how: dict[str, Any], error_code: str) -> None:
    """A provider that changed between the first check and the commit neither links nor creates an account (IP-06)."""
    await external.set_up()
    world, user_id = external.world, await _register(external)
    identity = await external.identity()
    idp = await world.service.find(MongoIdps).find(external.idp_id)
    org = await world.service.find(MongoOrgs).find(world.org_id)
    await external.set_up(**how)
    unchanged = world.service.find(OfferedProviders).unchanged(idp, org.id)

    assert await _error(run_transaction(world.parts.mongo, unchanged)) == error_code
    if how == {"active": False}:  # what was read before is all the command knows
        assert await _error(world.service.find(LinkIdentity)(idp, org.id, identity, user_id)) == error_code
        create = world.service.find(CreateExternalUser)
        assert await _error(create(idp, Audience(org.id, org.id), identity, identity.profile)) == error_code
    assert [one["idpLinks"] for one in await external.people()] == [[]]
