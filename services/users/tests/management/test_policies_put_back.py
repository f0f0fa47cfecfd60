"""Policies can be read, changed and sent back: the formats for reading and writing agree."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

ORG = "portico.management.v1.PolicyService"
IAM = "portico.admin.v1.PolicyService"

OWN: dict[str, dict[str, Any]] = {
    "Login": {"allowRegister": True, "forceMfa": True, "allowExternalIdp": True},
    "PasswordComplexity": {"minLength": "10", "hasUppercase": True, "hasNumber": True},
    "PasswordAge": {"maxAgeDays": "90", "expireWarnDays": "80"},
    "Lockout": {"maxPasswordAttempts": "5"},
    "Privacy": {"tosLink": "https://a.example/tos", "helpLink": "https://a.example/help"},
    "Label": {"primaryColor": "#112233", "warnColorDark": "#ff9988", "hideLoginNameSuffix": True},
}
CHANGES: dict[str, tuple[str, Any]] = {
    "Login": ("hidePasswordReset", True),
    "PasswordComplexity": ("minLength", "12"),
    "PasswordAge": ("maxAgeDays", "120"),
    "Lockout": ("maxPasswordAttempts", "7"),
    "Privacy": ("supportEmail", "help@a.example"),
    "Label": ("fontColor", "#123456"),
}
"""One field of each kind, and another value."""


class Kind:
    """A kind of policy of an organization or the instance.

    Attributes:
        write: the operation that updates it.
    """

    def __init__(self, managed: Any, name: str, owner: str) -> None:
        self._managed, self._name, self._service = managed, name, owner
        self.write = f"{owner}.Update{'Custom' if owner == ORG else ''}{name}Policy"

    async def do(self, method: str, body: dict[str, Any]) -> ApiResponse:
        by = "owner" if self._service == ORG else "iam"
        return await call_as(self._managed, method, body, by=by)

    async def read(self) -> dict[str, Any]:
        policy: dict[str, Any] = (await self.do(f"{self._service}.Get{self._name}Policy", {})).body["policy"]
        return policy

    async def set_up(self) -> None:
        first = f"{ORG}.AddCustom{self._name}Policy" if self._service == ORG else self.write
        response = await self.do(first, OWN[self._name])
        assert response.code == 0, response.body


@pytest.mark.parametrize("owner", [ORG, IAM])
@pytest.mark.parametrize("name", OWN)
async def test_policy_can_be_sent_back_as_read(managed: Any, name: str, owner: str) -> None:
    """The same body gives USER-702; with one field changed, only that field changes."""
    kind = Kind(managed, name, owner)
    await kind.set_up()
    before = await kind.read()
    same = await kind.do(kind.write, before)
    field, value = CHANGES[name]
    changed = await kind.do(kind.write, {**before, field: value})
    after = await kind.read()

    assert same.code in (0, 9), same.body
    assert changed.code == 0, changed.body
    assert before.get(field) != value
    assert {**after, "details": None} == {**before, field: value, "details": None}


@pytest.mark.parametrize("name", OWN)
async def test_inherited_policy_can_be_added_as_own(managed: Any, name: str) -> None:
    """An organization can add the inherited policy it has read, with changes, as its own."""
    kind = Kind(managed, name, ORG)
    default = await kind.read()
    field, value = CHANGES[name]
    added = await kind.do(f"{ORG}.AddCustom{name}Policy", {**default, field: value})
    own = await kind.read()

    assert default["isDefault"] is True
    assert added.code == 0, added.body
    assert "isDefault" not in own
    assert own[field] == value


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("secondFactors", ["SECOND_FACTOR_TYPE_OTP"]),
        ("multiFactors", ["MULTI_FACTOR_TYPE_UNSPECIFIED"]),
        ("idps", [{"idpId": "another"}]),
    ],
)
async def test_changed_lists_are_refused(managed: Any, field: str, other: Any) -> None:
    """Changed lists give USER-683, because the operation does not change them."""
    kind = Kind(managed, "Login", ORG)
    await kind.set_up()
    before = await kind.read()
    refused = await kind.do(kind.write, {**before, "hidePasswordReset": True, field: other})
    left_out = await kind.do(kind.write, {**{key: value for key, value in before.items() if key != field}})

    assert (refused.code, refused.error_code, refused.fields) == (3, "USER-683", [field])
    assert left_out.code in (0, 9)
    assert await kind.read() == before
