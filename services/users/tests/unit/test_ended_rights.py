from __future__ import annotations

import msgspec
import pytest
from portico_users.identity_providers.claim_tables import ClaimTables, GroupRoles, MappedGroup
from portico_users.identity_providers.constraints import ended_by
from portico_users.identity_providers.idp import Idp, OidcConfig
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.identity_providers.presets.names import PresetName
from portico_users.identity_providers.store import IDPS
from portico_users.storage.entry import Entry

CONFIG = OidcConfig(issuer="https://login.example/b9419818-09af-49c2-b0c3-653adc1f376e/v2.0", client_id="portico")
TABLES = ClaimTables(
    groups_claim="groups",
    groups=(GroupRoles(group="chiefs", project_id="shop", role_keys=("writer",)),),
    memberships=(MappedGroup(group="staff", group_id="employees"),),
)


@pytest.mark.parametrize(
    ("changed", "ends"),
    [
        ({"preset": PresetName.ENTRA}, True),
        ({"issuer": "https://new.example"}, True),
        ({"client_id": "another"}, False),
        ({"preset": PresetName.GITLAB}, False),
    ],
)
def test_rights_end_with_the_identities_that_have_them(changed: dict[str, str], *, ends: bool) -> None:
    """With Entra's preset the subjects are others, so that no sign-in ever follows the old links again (IP-06)."""
    before = Idp(id="corp", org_id="org", name="corp", config=CONFIG, tables=TABLES)
    after = msgspec.structs.replace(before, config=msgspec.structs.replace(CONFIG, **changed))
    ended = ended_by(Entry(IDPS, before, after))

    assert (bool(ended.groups), bool(ended.roles)) == (ends, ends)


@pytest.mark.parametrize(
    ("name", "ends"),
    [(r"cn=R\, D,ou=main,dc=acme", False), (r"CN=R\2C D, ou=main,dc=acme", False), ("cn=R,ou=main,dc=acme", True)],
)
def test_other_spelling_of_a_directorys_group_ends_nothing(name: str, *, ends: bool) -> None:
    """One distinguished name has several spellings (RFC 4514)."""
    config = LdapConfig(
        servers=("ldaps://ldap.acme.example",), base_dn="dc=acme", bind_dn="cn=p", user_filters=("uid",)
    )
    lines = [MappedGroup(group=one, group_id="employees") for one in (r"cn=R\2C D,ou=main,dc=acme", name)]
    before, after = (
        Idp(
            id="corp",
            org_id="org",
            name="corp",
            config=config,
            tables=ClaimTables(groups_claim="m", memberships=(line,)),
        )
        for line in lines
    )

    assert bool(ended_by(Entry(IDPS, before, after)).groups) is ends
