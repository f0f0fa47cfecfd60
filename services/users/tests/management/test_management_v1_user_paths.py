from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"


async def do(managed: Any, method: str, tail: str = "", *, by: str = "owner") -> ApiResponse:
    path = f"/management/v1/users/self-{managed.tag}{tail}"
    return await call_as(managed, f"{USER}.{method}", {}, by=by, path=path)


async def test_states_change_under_the_v1_path(managed: Any) -> None:
    """State changes behave as under v2; callers of other organizations find no user (MG-01, MG-04)."""
    foreign = [await do(managed, f"{name}User", f"/_{name.lower()}", by="foreign") for name in ("Lock", "Deactivate")]
    heard = {
        name: [(await do(managed, f"{name}User", f"/_{name.lower()}")).code for _ in range(2)]
        for name in ("Deactivate", "Reactivate", "Lock", "Unlock")
    }

    assert [response.code for response in foreign] == [5, 5]
    assert heard == {name: [0, 9] for name in ("Deactivate", "Reactivate", "Lock", "Unlock")}


async def test_user_is_deleted_under_the_v1_path(managed: Any) -> None:
    """A user deleted under v1 is deleted under v2 as well; viewers cannot delete users."""
    refused = await do(managed, "DeleteUser", by="viewer")
    gone = await do(managed, "DeleteUser")

    assert (refused.code, gone.code) == (7, 0)
    assert (await managed.get(f"self-{managed.tag}")).code == 5


async def test_factors_are_removed_under_the_v1_path(managed: Any) -> None:
    """An unknown factor gives code 5 to callers who may read it; viewers cannot remove factors."""
    token, path = managed.tokens["self"], f"/v2/users/self-{managed.tag}/passkeys"
    begun = await managed.api.json(f"{USER}.RegisterPasskey", {}, token=token, path=path)
    passkey = f"/passwordless/{begun.body['passkeyId']}"
    lists = [await do(managed, "ListAuthenticationFactors", "/auth_factors/_search", by="viewer")]
    lists += [await do(managed, "ListPasskeys", "/passwordless/_search", by="viewer")]
    removals = {"RemoveTOTP": "/auth_factors/otp", "RemoveU2F": "/auth_factors/u2f/none", "RemovePasskey": passkey}
    refused = [(await do(managed, name, tail, by="viewer")).code for name, tail in removals.items()]
    removed = [(await do(managed, name, tail)).code for name, tail in removals.items()]

    assert [response.code for response in lists] == [0, 0]
    assert refused == [7, 7, 7]
    assert removed == [5, 5, 0]
    assert (await do(managed, "RemovePasskey", passkey)).code == 5


async def test_phone_is_removed_under_the_v1_path(managed: Any) -> None:
    phone = {"phone": "+41791234567", "isVerified": True}
    path = f"/v2/users/self-{managed.tag}/phone"
    await call_as(managed, f"{USER}.SetPhone", phone, path=path)
    before = (await managed.get(f"self-{managed.tag}")).body["user"]["human"]
    removed = await do(managed, "RemovePhone", "/phone")
    after = (await managed.get(f"self-{managed.tag}")).body["user"]["human"]

    assert removed.code == 0
    assert ("phone" in before, "phone" in after) == (True, False)


async def test_code_is_resent_under_the_v1_path(managed: Any) -> None:
    """As under v2, resending requires a pending code."""
    early = await do(managed, "ResendEmailCode", "/email/_resend_verification")
    mail, path = managed.users.mail("older"), f"/v2/users/self-{managed.tag}/email"
    token = managed.tokens["owner"]
    await managed.api.json(f"{USER}.SetEmail", {"email": mail}, token=token, path=path)
    first = len(await managed.users.mails_to(mail))
    again = await do(managed, "ResendEmailCode", "/email/_resend_verification")

    assert (early.code, again.code) == (9, 0)
    assert len(await managed.users.mails_to(mail)) == first + 1 == 2
