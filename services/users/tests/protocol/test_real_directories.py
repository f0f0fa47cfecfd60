"""Sign-ins at 389 Directory Server and Samba, with the certificates that they make for themselves."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from portico_contracts.users import VerifiedIdentity
from portico_fakes.clock import FrozenClock
from portico_harness.certificates import write_certificate
from portico_harness.real_directory import LOGIN, OLD_LOGIN, PASSWORD, RealDirectory
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.claim_tables import ClaimTables, MappedGroup
from portico_users.identity_providers.federation.code_exchange import StoredSecrets
from portico_users.identity_providers.federation.ldap.connection import LdapConnections
from portico_users.identity_providers.federation.ldap.ldap_provider import LdapProvider
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.ldap import LdapAttributes, LdapConfig
from portico_users.values.operator_settings import OutboundAllowed

pytestmark = [pytest.mark.long, pytest.mark.servers, pytest.mark.xdist_group("real directories")]


@dataclass(frozen=True)
class SearchPassword:
    password: str

    def of(self, _idp: Idp) -> str:
        return self.password


@dataclass(frozen=True)
class SignIns:
    directory: RealDirectory
    clock: FrozenClock

    def config(self, **changed: Any) -> LdapConfig:
        directory = self.directory
        given = {
            "servers": (directory.ldaps,),
            "base_dn": directory.base_dn,
            "bind_dn": directory.search_dn,
            "user_object_classes": (directory.user_class,),
            "user_filters": (directory.login_attribute, "mail"),
            "root_ca": directory.authority,
            "attributes": LdapAttributes(
                id=directory.subject,
                first_name="givenName",
                last_name="sn",
                preferred_username=directory.login_attribute,
                email="mail",
            ),
        }
        return LdapConfig(**{**given, **changed})

    async def verify(
        self, login: str = LOGIN, password: str = PASSWORD, *, search_password: str = PASSWORD, **changed: Any
    ) -> VerifiedIdentity | None:
        directory = self.directory
        addresses = ((directory.host, port) for port in (directory.port, directory.plain_port))
        allowed = OutboundAllowed(frozenset(addresses))
        connections = LdapConnections(self._resolve, allowed, "")
        known = cast("StoredSecrets", SearchPassword(search_password))
        provider = LdapProvider(connections, known, allowed, bytes, self.clock)
        groups = (directory.group, directory.outer_group, f"cn=nothing,{directory.base_dn}")
        memberships = tuple(MappedGroup(group=name, group_id=name) for name in groups)
        tables = ClaimTables(groups_claim="memberOf", memberships=memberships)
        config = self.config(**changed)
        idp = Idp(id="directory", org_id="org", name="directory", config=config, tables=tables)
        return await provider.verify(idp, config, login, password, self._count, {})

    async def refusal(self, *arguments: str, **changed: Any) -> ServiceError:
        with pytest.raises(ServiceError) as refused:
            await self.verify(*arguments, **changed)
        return refused.value

    async def _resolve(self, _host: str, _port: int) -> list[str]:
        return [self.directory.address]

    async def _count(self, _subject: str) -> None:
        pass


@pytest.fixture(params=["dirsrv", "samba"])
def sign_ins(request: pytest.FixtureRequest, clock: FrozenClock) -> SignIns:
    return SignIns(request.getfixturevalue(request.param), clock)


@pytest.mark.parametrize("start_tls", [False, True], ids=["ldaps", "StartTLS"])
async def test_user_signs_in(sign_ins: SignIns, *, start_tls: bool) -> None:
    server = sign_ins.directory.ldap if start_tls else sign_ins.directory.ldaps
    identity = await sign_ins.verify(servers=(server,), start_tls=start_tls)

    assert identity is not None
    profile = identity.profile
    assert (profile.user_name, profile.first_name, profile.last_name) == (LOGIN, "Dora", "Directory")
    assert profile.email == "dora@directory.example"
    assert str(uuid.UUID(identity.subject)) == identity.subject


async def test_login_names_lead_to_one_identity(sign_ins: SignIns) -> None:
    first, second = await sign_ins.verify(), await sign_ins.verify("dora@directory.example")

    assert first is not None
    assert first == second


async def test_groups_are_those_the_server_lists(sign_ins: SignIns) -> None:
    """A group with a comma in its name is found in either spelling; 389 Directory Server resolves groups in groups."""
    directory = sign_ins.directory
    identity = await sign_ins.verify()

    assert identity is not None
    assert set(identity.groups) == {directory.group, *((directory.outer_group,) if directory.lists_outer else ())}


@pytest.mark.parametrize(("login", "password"), [(LOGIN, "wrong"), ("unknown", PASSWORD)])
async def test_wrong_password_and_unknown_name_look_alike(sign_ins: SignIns, login: str, password: str) -> None:
    assert await sign_ins.verify(login, password) is None


async def test_password_that_must_be_changed_is_named(sign_ins: SignIns) -> None:
    """Expired at 389 Directory Server, reset at Samba; with a wrong password nothing about the account is shown."""
    assert (await sign_ins.refusal(OLD_LOGIN)).id == "USER-395"
    assert await sign_ins.verify(OLD_LOGIN, "wrong") is None


async def test_wrong_search_account_is_named(sign_ins: SignIns) -> None:
    assert (await sign_ins.refusal(search_password="wrong")).id == "USER-382"


async def test_certificate_of_an_unknown_authority_is_refused(sign_ins: SignIns, tmp_path: Path) -> None:
    other = write_certificate(tmp_path, sign_ins.directory.host).authority.read_text()
    for authority in (other, ""):
        error = await sign_ins.refusal(root_ca=authority)
        assert (error.id, error.text) == ("USER-380", "The directory's certificate cannot be verified.")
