"""Sign-in by LDAP: search, then bind as the entry that was found (RFC 4511, RFC 4513)."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from portico_contracts.users import FINISH_EXTERNAL, LINK_EXTERNAL, FinishExternal, LinkExternal, ProviderRedirect
from portico_fakes.management_api import ManagementApi
from portico_harness.certificates import write_certificate
from portico_harness.ldap_server import ELSEWHERE_DN, RunningLdapServer
from portico_oauth.errors import ServiceError
from portico_stack.machine.ports import free_port
from portico_users.settings import Settings

from .ldap_sign_in import ATTRIBUTES, PASSWORD, LdapSignIn

pytestmark = pytest.mark.servers

_CLOSED = free_port()


@pytest.fixture
def cheap_hashing(cheap_hashing: Settings, ldap_server: RunningLdapServer) -> Settings:
    allowed = f"{ldap_server.allowed},localhost:{_CLOSED}"
    return cheap_hashing.model_copy(update={"outbound_allow": allowed})


@pytest.fixture
def ldap(users_world: Any, ldap_server: RunningLdapServer) -> LdapSignIn:
    return LdapSignIn(users_world, ldap_server)


async def _error(call: Awaitable[Any]) -> str:
    with pytest.raises(ServiceError) as refused:
        await call
    return refused.value.id


@pytest.mark.parametrize("start_tls", [False, True])
async def test_ldap_user_is_found(ldap: LdapSignIn, *, start_tls: bool) -> None:
    """The entry's attributes are read over ldaps and StartTLS; the address does not count as verified."""
    server = ldap.directory.ldap if start_tls else ldap.directory.ldaps
    await ldap.set_up(startTls=start_tls, servers=[server])
    ldap.add()
    done = await ldap.verify()
    assert done is not None
    profile = done.identity.profile

    assert done.onward is ProviderRedirect.COMPLETE
    assert (profile.user_name, profile.first_name, profile.last_name) == (ldap.uid, "Ada", "Lovelace")
    assert (profile.display_name, profile.email, profile.language) == ("Countess Ada", ldap.world.mail("ada"), "en")
    assert not profile.email_verified
    assert str(uuid.UUID(done.identity.subject)) == done.identity.subject
    assert done.identity.issuer == "ldap:///ou=people,dc=example,dc=org?entryUUID"
    assert done.identity.auth_time == int(ldap.world.clock.now())


async def test_linked_ldap_user_signs_in(ldap: LdapSignIn) -> None:
    """The entry signs in the linked user under each of its login names (IP-06)."""
    await ldap.set_up(autoRegister=True)
    ldap.add()
    first = await ldap.verify()
    again = await ldap.verify(ldap.world.mail("ada"))

    assert first
    assert again
    assert first.onward is again.onward is ProviderRedirect.SIGNED_IN
    assert first.user
    assert again.user
    assert first.user.user_id == again.user.user_id


async def test_ldap_account_is_only_offered(ldap: LdapSignIn) -> None:
    """An equal user name offers the account, and nothing is linked before its owner authenticates (IP-06)."""
    await ldap.set_up(
        providerOptions={"autoLinking": "AUTO_LINKING_OPTION_USERNAME"},
        policies={"humans": [ldap.world.human(username=ldap.uid)]},
    )
    ldap.add()
    done = await ldap.verify()
    (human,) = await ldap.world.rows("users", orgId=ldap.world.org_id, type="human")

    assert done
    assert done.onward is ProviderRedirect.PROVE
    assert human["idpLinks"] == []


async def test_ldap_address_is_verified_by_attribute(ldap: LdapSignIn) -> None:
    """An address is verified only by the configured attribute, and only if the entry has one address."""
    await ldap.set_up(autoRegister=True)
    ldap.add(mailVerified="TRUE")
    done = await ldap.verify()
    (human,) = await ldap.world.rows("users", orgId=ldap.world.org_id, type="human")

    assert done
    assert done.identity.profile.email_verified
    assert human["emailVerified"]


async def test_wrong_password_and_unknown_name_look_alike(ldap: LdapSignIn) -> None:
    """Both get the same response and are counted until attempts are delayed; the right password has to wait too
    (LG-01, LG-05).
    """
    await ldap.set_up()
    ldap.add()
    for name in (ldap.uid, f"unknown-{ldap.world.tag}"):
        for _ in range(5):
            assert await ldap.verify(name, "wrong") is None
        assert await _error(ldap.verify(name, PASSWORD)) == "USER-033"
    ldap.world.clock.tick(60)

    assert await ldap.verify() is not None
    for _ in range(5):  # the right one reset the counter
        assert await ldap.verify(password="wrong") is None


async def test_ldap_attempts_share_one_counter_per_entry(ldap: LdapSignIn) -> None:
    """Attempts with any login name of an entry are counted together (LG-05)."""
    await ldap.set_up()
    ldap.add()
    for name in (ldap.uid, ldap.world.mail("ada"), ldap.uid.upper(), ldap.uid, ldap.uid):
        assert await ldap.verify(name, "wrong") is None

    assert await _error(ldap.verify(ldap.world.mail("ada"))) == "USER-033"


async def test_lockout_policy_locks_the_linked_user(ldap: LdapSignIn) -> None:
    """Wrong LDAP passwords lock the linked user after the number set by the lockout policy, like local passwords."""
    await ldap.set_up(autoRegister=True, policies={"lockoutPolicy": {"maxPasswordAttempts": 2}})
    ldap.add()
    assert await ldap.verify() is not None
    for _ in range(2):
        assert await ldap.verify(password="wrong") is None
    (human,) = await ldap.world.rows("users", orgId=ldap.world.org_id, type="human")

    assert human["state"] == "locked"
    assert await _error(ldap.verify()) == "USER-975"


@pytest.mark.parametrize(
    "calls", [["Unlock"], ["Deactivate", "Reactivate"], []], ids=["api", "by way of inactive", "document"]
)
async def test_unlocked_user_starts_from_zero(ldap: LdapSignIn, calls: list[str]) -> None:
    """The passwords that locked the user no longer count, nor those entered since."""
    robot = ldap.world.robot(roles=["ORG_OWNER"])
    policies: dict[str, Any] = {"lockoutPolicy": {"maxPasswordAttempts": 2}, "serviceUsers": [robot]}
    await ldap.set_up(autoRegister=True, policies=policies)
    ldap.add()
    done = await ldap.verify()
    assert done
    assert done.user
    for _ in range(3):
        assert await ldap.verify(password="wrong") is None
    api, user_id = ManagementApi(ldap.world.service, ldap.world.bus), done.user.user_id
    for call in calls:
        path, name = f"/v2/users/{user_id}/{call.lower()}", f"portico.user.v2.UserService.{call}User"
        assert (await api.json(name, {}, token=api.token_of(robot["id"]), path=path)).code == 0
    if not calls:
        human = ldap.world.human(id=user_id, username=ldap.uid, state="active")
        await ldap.set_up(autoRegister=True, policies=policies | {"humans": [human]})

    assert await ldap.verify(password="wrong") is None
    assert await ldap.verify() is not None


async def test_empty_password_is_never_sent(ldap: LdapSignIn) -> None:
    """LDAP servers accept an empty password as an unauthenticated bind (RFC 4513 §5.1.2): it is refused before
    any connection.
    """
    await ldap.set_up(servers=[f"ldaps://localhost:{_CLOSED}"])

    assert await ldap.verify(password="") is None
    assert await ldap.verify("x", "") is None
    assert await _error(ldap.verify()) == "USER-961"


@pytest.mark.parametrize(
    "typed", ["*", "ada*", "*)(uid=*", "ada)(objectClass=*", "\\2a", "\x00", "", " ", "%s", "(", "𝒶"]
)
async def test_login_name_is_escaped_in_the_filter(ldap: LdapSignIn, typed: str) -> None:
    """No character of a login name is interpreted as part of the filter (RFC 4515)."""
    await ldap.set_up()
    ldap.add()

    assert await ldap.verify(f"{typed}{ldap.world.tag}" if typed == "ada*" else typed, PASSWORD) is None
    assert await ldap.refusals() == []


@pytest.mark.parametrize("name", ["*)(uid=*{}", "back\\slash{}", "(paren){}", "Zoë {}", "山田{}", "comma, plus+{}"])
async def test_special_characters_in_login_names(ldap: LdapSignIn, name: str) -> None:
    """Users whose login names contain special characters can sign in."""
    await ldap.set_up()
    uid = name.format(ldap.world.tag)
    ldap.add(uid=uid)

    assert await ldap.verify(uid) is not None
    assert await ldap.verify(uid, "wrong") is None


async def test_ambiguous_login_name_is_refused(ldap: LdapSignIn) -> None:
    """A login name of two entries signs neither in, and the administrator's event states it."""
    await ldap.set_up()
    ldap.add()
    ldap.add(uid=f"bob-{ldap.world.tag}", mail=ldap.uid)

    assert await _error(ldap.verify()) == "USER-383"
    assert await ldap.refusals() == ["USER-383"]


async def test_object_classes_restrict_the_search(ldap: LdapSignIn) -> None:
    """An entry must have all configured object classes."""
    await ldap.set_up(userObjectClasses=["inetOrgPerson", "posixAccount"])
    ldap.add()

    assert await ldap.verify() is None


async def test_object_guid_is_decoded(ldap: LdapSignIn) -> None:
    """Active Directory's 16 octets become the UUID shown by its tools: the first three parts are little-endian."""
    await ldap.set_up(attributes=ATTRIBUTES | {"idAttribute": "objectGUID"})
    guid = uuid.uuid4()
    ldap.add(objectGUID=guid.bytes_le)
    done = await ldap.verify()

    assert done
    assert done.identity.subject == str(guid)


async def test_malformed_guid_is_refused(ldap: LdapSignIn) -> None:
    """An entry without the attribute, or with octets that are not a UUID, is refused (USER-384)."""
    await ldap.set_up(attributes=ATTRIBUTES | {"idAttribute": "objectGUID"})
    ldap.add()
    ldap.add(uid=f"bob-{ldap.world.tag}", mail=None, objectGUID=b"short")

    assert await _error(ldap.verify()) == "USER-384"
    assert await _error(ldap.verify(f"bob-{ldap.world.tag}")) == "USER-384"


async def test_referrals_are_not_followed(ldap: LdapSignIn) -> None:
    """A referral to another server is refused, and that server is not contacted."""
    await ldap.set_up(baseDn=ELSEWHERE_DN)

    assert await _error(ldap.verify()) == "USER-385"


async def test_search_references_are_ignored(ldap: LdapSignIn) -> None:
    """Parts of the tree on another server are treated as absent."""
    await ldap.set_up(baseDn="dc=example,dc=org")
    ldap.add()

    assert await ldap.verify() is not None


async def test_wrong_bind_password_is_refused(ldap: LdapSignIn) -> None:
    """A wrong bindPassword is a configuration error, and is not counted against a user."""
    await ldap.set_up(bindPassword="another one")
    ldap.add()
    for _ in range(6):
        assert await _error(ldap.verify()) == "USER-382"


async def test_untrusted_certificate_is_refused(ldap: LdapSignIn, tmp_path: Path) -> None:
    """No password is sent over a connection with a certificate of an untrusted authority, including the
    machine's own.
    """
    other = write_certificate(tmp_path, "localhost").authority.read_text()
    await ldap.set_up(rootCa=other)
    first = await _error(ldap.verify())
    await ldap.set_up(rootCa="")

    assert (first, await _error(ldap.verify())) == ("USER-380", "USER-380")


async def test_next_server_is_used(ldap: LdapSignIn) -> None:
    """An unreachable server is skipped in favour of the next one."""
    await ldap.set_up(servers=[f"ldaps://localhost:{_CLOSED}", ldap.directory.ldaps])
    ldap.add()

    assert await ldap.verify() is not None


async def test_ldap_provider_must_be_offered(ldap: LdapSignIn) -> None:
    """A provider that the login policy does not list, or that is inactive, is not contacted (USER-960)."""
    await ldap.set_up(offered=False)
    ldap.add()
    first = await _error(ldap.verify())
    await ldap.set_up(state="inactive")

    assert (first, await _error(ldap.verify())) == ("USER-960", "USER-960")


async def test_ldap_provider_has_no_callback(ldap: LdapSignIn) -> None:
    """Callback parameters for an LDAP provider are refused."""
    await ldap.set_up()
    ask = FinishExternal(
        provider_id=ldap.idp_id,
        org_id=ldap.world.org_id,
        redirect_uri="https://id.example/cb",
        nonce="n",
        parameters={},
    )

    assert await _error(ldap.world.call(FINISH_EXTERNAL, ask)) == "PORT-005"


async def test_changed_id_attribute_invalidates_links(ldap: LdapSignIn) -> None:
    """A user linked by entryUUID is not signed in by the value of another attribute (USER-977)."""
    await ldap.set_up(autoRegister=True)
    guid = uuid.uuid4()
    ldap.add(objectGUID=guid.bytes_le)
    done = await ldap.verify()
    assert done
    assert done.user
    moved = msgspec.structs.replace(done.identity, issuer="ldap:///ou=people,dc=example,dc=org?objectGUID")
    ask = LinkExternal(identity=moved, org_id=ldap.world.org_id, user_id=done.user.user_id)

    assert await _error(ldap.world.call(LINK_EXTERNAL, ask)) == "USER-977"


async def test_concurrent_attempts_are_counted(ldap: LdapSignIn) -> None:
    """Twenty concurrent attempts try no more passwords than sequential ones (LG-05)."""
    await ldap.set_up()
    ldap.add()
    tried = await asyncio.gather(*(ldap.verify(password="wrong") for _ in range(20)), return_exceptions=True)

    assert tried.count(None) == 5
    assert {one.id for one in tried if isinstance(one, ServiceError)} <= {"USER-033"}
