from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.instance.targets import the_instance
from portico_users.journal.command import Command
from portico_users.management_api.protobuf.changing import Value, changing
from portico_users.management_api.protobuf.details import as_read
from portico_users.management_api.transport.call import Target
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import own_or_named_org
from portico_users.policies.api import login_policies
from portico_users.policies.api.policies import POLICY_CALLS, PolicyCalls, theme_of
from portico_users.policies.commands import AllowFactor, FactorList, OfferIdp
from portico_users.policies.edit_policies import Holder, PolicyLogos

_ORG: Final = "portico.management.v1.PolicyService"
_IAM: Final = "portico.admin.v1.PolicyService"
_READ: Final = Permission.POLICY_READ
_WRITE: Final = Permission.POLICY_WRITE
_EFFECT: Final = Permission.POLICY_EFFECT_READ
_IAM_READ: Final = Permission.IAM_POLICY_READ
_IAM_WRITE: Final = Permission.IAM_POLICY_WRITE
_SECOND: Final[tuple[Value, ...]] = (lambda _: FactorList.SECOND, login_policies.second_factor_of)
_MULTI: Final[tuple[Value, ...]] = (lambda _: FactorList.MULTI, login_policies.multi_factor_of)

_Operations = tuple[Operation, ...]


def _of(kind: str, calls: ModuleType | PolicyCalls) -> _Operations:
    return (
        Operation(f"{_ORG}.Get{kind}Policy", _READ, own_or_named_org, calls.get_policy),
        Operation(f"{_ORG}.AddCustom{kind}Policy", _WRITE, own_or_named_org, calls.add_policy),
        Operation(f"{_ORG}.UpdateCustom{kind}Policy", _WRITE, own_or_named_org, calls.update_policy),
        Operation(f"{_ORG}.Reset{kind}PolicyToDefault", _WRITE, own_or_named_org, calls.reset_policy),
        Operation(f"{_IAM}.Get{kind}Policy", _IAM_READ, the_instance, calls.get_policy),
        Operation(f"{_IAM}.Update{kind}Policy", _IAM_WRITE, the_instance, calls.update_policy),
    )


def _lists_of(
    service: str,
    read: Permission,
    write: Permission,
    effect: Permission,
    find: Callable[..., Awaitable[Target[Holder]]],
) -> _Operations:
    def changed(name: str, command: type[Command], act: Callable[..., Awaitable[object]], *values: Value) -> Operation:
        return changing(f"{service}.{name}", write, find, command, *values, act=act, answer=as_read, changes_part=True)

    return (
        Operation(f"{service}.AddIDPToLoginPolicy", write, find, login_policies.add_idp, changes_part=True),
        changed("SetLabelPolicyLogo", PolicyLogos, PolicyLogos.set, theme_of, "logo"),
        changed("RemoveLabelPolicyLogo", PolicyLogos, PolicyLogos.remove, theme_of),
        changed("RemoveIDPFromLoginPolicy", OfferIdp, OfferIdp.withdraw, "idp_id"),
        Operation(f"{service}.ListLoginPolicyIDPs", read, find, login_policies.list_idps),
        Operation(f"{service}.CountAffectedUsers", effect, find, login_policies.count_affected),
        changed("AddSecondFactorToLoginPolicy", AllowFactor, AllowFactor.__call__, *_SECOND),
        changed("RemoveSecondFactorFromLoginPolicy", AllowFactor, AllowFactor.disallow, *_SECOND),
        Operation(f"{service}.ListLoginPolicySecondFactors", read, find, login_policies.list_second_factors),
        changed("AddMultiFactorToLoginPolicy", AllowFactor, AllowFactor.__call__, *_MULTI),
        changed("RemoveMultiFactorFromLoginPolicy", AllowFactor, AllowFactor.disallow, *_MULTI),
        Operation(f"{service}.ListLoginPolicyMultiFactors", read, find, login_policies.list_multi_factors),
    )


POLICIES: Final[_Operations] = (
    *_of("Login", login_policies),
    *(operation for calls in POLICY_CALLS for operation in _of(calls.word, calls)),
    *_lists_of(_ORG, _READ, _WRITE, _EFFECT, own_or_named_org),
    *_lists_of(_IAM, _IAM_READ, _IAM_WRITE, Permission.IAM_POLICY_EFFECT_READ, the_instance),
)
