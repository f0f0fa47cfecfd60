"""The operations on SCIM targets. A target gets data of users of the whole organization, so its owners decide."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.operation import Operation
from portico_users.scim_targets.api import targets
from portico_users.scim_targets.api.targets import own_app, own_target
from portico_users.scim_targets.commands import RemoveScimTarget, UpdateScimTarget

_OF: Final = "portico.management.v1.ScimTargetService"
_READ: Final = Permission.ORG_SCIM_READ
_WRITE: Final = Permission.ORG_SCIM_WRITE

SCIM_TARGETS_API: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.AddScimTarget", _WRITE, own_app, targets.add_target),
    Operation(f"{_OF}.GetScimTarget", _READ, own_target, targets.get_target),
    Operation(f"{_OF}.ListScimTargets", _READ, own_app, targets.list_targets),
    Operation(f"{_OF}.UpdateScimTarget", _WRITE, own_target, targets.update_target),
    changing(f"{_OF}.ActivateScimTarget", _WRITE, own_target, UpdateScimTarget, act=UpdateScimTarget.activate),
    changing(f"{_OF}.DeactivateScimTarget", _WRITE, own_target, UpdateScimTarget, act=UpdateScimTarget.deactivate),
    changing(f"{_OF}.RemoveScimTarget", _WRITE, own_target, RemoveScimTarget),
    Operation(f"{_OF}.TestScimTarget", _WRITE, own_target, targets.check_target),
    Operation(f"{_OF}.DryRunScimTarget", _WRITE, own_target, targets.dry_run),
    Operation(f"{_OF}.CompareScimTarget", _WRITE, own_target, targets.compare),
)
