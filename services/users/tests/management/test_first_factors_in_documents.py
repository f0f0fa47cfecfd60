"""A check of a document counts whom its login policy would lock out (decision 0143)."""

from __future__ import annotations

from typing import Any

import pytest

from .test_first_factors import EMAIL_CODE, IAM, OLD, PASSKEY, PASSWORD, Rules, rules

__all__ = ["rules"]

pytestmark = pytest.mark.servers


async def test_check_of_a_document_names_who_would_be_locked_out(rules: Rules) -> None:
    """By a rule, and by a reset to the rules of the instance; not by one that takes no way in."""
    managed, users = rules.managed, rules.managed.users
    unproven: dict[str, Any] = {"email": users.mail("una"), "returnCode": {}}
    await managed.add(managed.new_human("una", email=unproven, password={"password": OLD}, username="una"))
    domain = managed.domain(managed.org_id)
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": domain}

    async def along(**policy: Any) -> list[tuple[str, int, tuple[str, ...]]]:
        checked = await users.apply(org | {"loginPolicy": policy}, check=True)
        return [(one.kind, one.count, one.names) for change in checked.changes for one in change.along]

    ruled = await along(firstFactors=["email_code"])
    harmless = await along(firstFactors=["password"], forceMfa=True)
    await rules.set(PASSWORD, PASSKEY)
    await rules.set(EMAIL_CODE, of=IAM, by="iam")
    reset = await along()

    lost = ("user with no way to sign in any longer", 1, (f"una@{domain}",))
    assert (ruled, harmless, reset) == ([lost], [], [lost])
    assert (await rules.try_password()).user is not None
