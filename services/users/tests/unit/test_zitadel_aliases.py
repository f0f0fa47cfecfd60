"""Every method of ZITADEL's SDKs is performed by the dispatcher of the management API (decision 0105)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_contracts.management import METHODS
from portico_contracts.zitadel.methods import ZITADEL_METHODS
from portico_oauth.errors import ServiceError
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.management_api.transport.metadata import Metadata
from portico_users.management_api.transport.wire.encoded import JsonRequest
from portico_users.management_api.zitadel import aliases
from portico_users.management_api.zitadel.endpoint import ZitadelDispatch

METADATA: Final = Metadata(authorization=("Bearer token",), org_ids=("org",), if_match=("7",))
NOT_OFFERED: Final = {"HumanMFAInitSkipped"}


class RecordingDispatch:
    """Answers with an empty response; like the real one, decodes only after it knows the caller."""

    def __init__(self) -> None:
        self.performed: list[tuple[str, Metadata]] = []

    async def perform(self, name: str, encoded: Any, metadata: Metadata) -> Any:
        self.performed.append((name, metadata))
        return METHODS[name].response()


async def test_alias_is_its_operation() -> None:
    """The alias passes on the token, the organization and the expected version of the request, and nothing else."""
    operations = {one.name for one in OPERATIONS}
    for name in aliases.OPERATIONS:
        dispatch: Any = RecordingDispatch()
        await ZitadelDispatch(dispatch).perform(name, JsonRequest(b"{}"), METADATA)

        assert dispatch.performed == [(name.replace("zitadel.", "portico.", 1), METADATA)], name
        assert dispatch.performed[0][0] in operations, name


def test_user_methods_without_an_operation_are_known() -> None:
    """A new operation with the name of theirs is served without further code."""
    prefix = "zitadel.user.v2.UserService."
    theirs = {name.removeprefix(prefix) for name in ZITADEL_METHODS if name.startswith(prefix)}

    assert theirs - {name.removeprefix(prefix) for name in aliases.HANDLERS} == NOT_OFFERED
    assert len(theirs) == 60


@pytest.mark.parametrize("members", [b'{"userId": ""}', b'{"userId": "%s"}' % (b"a" * 201)])
async def test_limits_are_those_of_the_operation(members: bytes) -> None:
    class Decoding(RecordingDispatch):
        async def perform(self, name: str, encoded: Any, metadata: Metadata) -> Any:
            encoded.fill(METHODS[name].request())
            return await super().perform(name, encoded, metadata)

    dispatch: Any = Decoding()
    with pytest.raises(ServiceError) as refused:
        await ZitadelDispatch(dispatch).perform("zitadel.user.v2.UserService.LockUser", JsonRequest(members), METADATA)

    assert [one.field for one in refused.value.violations] == ["userId"]
