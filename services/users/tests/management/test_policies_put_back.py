"""Policies are read, changed and put back: what is read is what is written."""

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
    """One kind of policy of an organization or of the instance.

    Attributes:
        write: the operation that puts it.
    """

    def __init__(self, managed: Any, name: str, owner: str) -> None:
        self._managed, self._name, self._service = managed, name, owner
        self.write = f"{owner}.Update{'Custom' if owner == ORG else ''}{name}Policy"

    async def do(self, method: str, body: dict[str, Any]) -> ApiResponse:
        """Calls an operation as a permitted user."""
        by = "owner" if self._service == ORG else "iam"
        return await call_as(self._managed, method, body, by=by)

    async def read(self) -> dict[str, Any]:
        """The policy as it is answered."""
        policy: dict[str, Any] = (await self.do(f"{self._service}.Get{self._name}Policy", {})).body["policy"]
        return policy

    async def set_up(self) -> None:
        """Gives its owner one that differs from the default."""
        first = f"{ORG}.AddCustom{self._name}Policy" if self._service == ORG else self.write
        response = await self.do(first, OWN[self._name])
        assert response.code == 0, response.body


@pytest.mark.parametrize("owner", [ORG, IAM])
@pytest.mark.parametrize("name", OWN)
async def test_a_policy_that_was_read_can_be_put_back(managed: Any, name: str, owner: str) -> None:
    """The same body leads to USER-702; with one field changed, that field is what changes."""
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
async def test_the_policy_of_the_instance_becomes_an_own_one(managed: Any, name: str) -> None:
    """What an organization reads before it has its own, it can add as its own, changed."""
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
async def test_lists_that_other_operations_change_are_not_silently_retained(
    managed: Any, field: str, other: Any
) -> None:
    """A caller that changes them in what was read gets USER-683, since they cannot change."""
    kind = Kind(managed, "Login", ORG)
    await kind.set_up()
    before = await kind.read()
    refused = await kind.do(kind.write, {**before, "hidePasswordReset": True, field: other})
    left_out = await kind.do(kind.write, {**{key: value for key, value in before.items() if key != field}})

    assert (refused.code, refused.error_code, refused.fields) == (3, "USER-683", [field])
    assert left_out.code in (0, 9)
    assert await kind.read() == before
