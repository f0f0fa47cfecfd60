"""The operations on policies."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from portico_users.api.management_v1.policies import factors, login
from portico_users.api.management_v1.policies.holders import the_instance
from portico_users.api.management_v1.policies.policies import POLICY_CALLS, PolicyCalls
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import own_or_named_org
from portico_users.directory.members.permissions import Permission

_ORG: Final = "portico.management.v1.PolicyService"
_IAM: Final = "portico.admin.v1.PolicyService"
_READ: Final = Permission.POLICY_READ
_WRITE: Final = Permission.POLICY_WRITE
_IAM_READ: Final = Permission.IAM_POLICY_READ
_IAM_WRITE: Final = Permission.IAM_POLICY_WRITE

_Operations = tuple[Operation[Any, Any, Any], ...]


def _of(kind: str, calls: ModuleType | PolicyCalls) -> _Operations:
    """The operations that every kind of policy has."""
    return (
        Operation(f"{_ORG}.Get{kind}Policy", _READ, own_or_named_org, calls.get_policy),
        Operation(f"{_ORG}.AddCustom{kind}Policy", _WRITE, own_or_named_org, calls.add_policy),
        Operation(f"{_ORG}.UpdateCustom{kind}Policy", _WRITE, own_or_named_org, calls.update_policy),
        Operation(f"{_ORG}.Reset{kind}PolicyToDefault", _WRITE, own_or_named_org, calls.reset_policy),
        Operation(f"{_IAM}.Get{kind}Policy", _IAM_READ, the_instance, calls.get_policy),
        Operation(f"{_IAM}.Update{kind}Policy", _IAM_WRITE, the_instance, calls.update_policy),
    )


POLICIES: Final[_Operations] = (
    *_of("Login", login),
    *(operation for calls in POLICY_CALLS for operation in _of(calls.word, calls)),
    Operation(f"{_ORG}.AddIDPToLoginPolicy", _WRITE, own_or_named_org, login.add_idp),
    Operation(f"{_ORG}.RemoveIDPFromLoginPolicy", _WRITE, own_or_named_org, login.remove_idp),
    Operation(f"{_ORG}.ListLoginPolicyIDPs", _READ, own_or_named_org, login.list_idps),
    Operation(f"{_IAM}.AddIDPToLoginPolicy", _IAM_WRITE, the_instance, login.add_idp),
    Operation(f"{_IAM}.RemoveIDPFromLoginPolicy", _IAM_WRITE, the_instance, login.remove_idp),
    Operation(f"{_IAM}.ListLoginPolicyIDPs", _IAM_READ, the_instance, login.list_idps),
    Operation(f"{_ORG}.AddSecondFactorToLoginPolicy", _WRITE, own_or_named_org, factors.add_second_factor),
    Operation(f"{_ORG}.RemoveSecondFactorFromLoginPolicy", _WRITE, own_or_named_org, factors.remove_second_factor),
    Operation(f"{_ORG}.ListLoginPolicySecondFactors", _READ, own_or_named_org, factors.list_second_factors),
    Operation(f"{_ORG}.AddMultiFactorToLoginPolicy", _WRITE, own_or_named_org, factors.add_multi_factor),
    Operation(f"{_ORG}.RemoveMultiFactorFromLoginPolicy", _WRITE, own_or_named_org, factors.remove_multi_factor),
    Operation(f"{_ORG}.ListLoginPolicyMultiFactors", _READ, own_or_named_org, factors.list_multi_factors),
    Operation(f"{_IAM}.AddSecondFactorToLoginPolicy", _IAM_WRITE, the_instance, factors.add_second_factor),
    Operation(f"{_IAM}.RemoveSecondFactorFromLoginPolicy", _IAM_WRITE, the_instance, factors.remove_second_factor),
    Operation(f"{_IAM}.ListLoginPolicySecondFactors", _IAM_READ, the_instance, factors.list_second_factors),
    Operation(f"{_IAM}.AddMultiFactorToLoginPolicy", _IAM_WRITE, the_instance, factors.add_multi_factor),
    Operation(f"{_IAM}.RemoveMultiFactorFromLoginPolicy", _IAM_WRITE, the_instance, factors.remove_multi_factor),
    Operation(f"{_IAM}.ListLoginPolicyMultiFactors", _IAM_READ, the_instance, factors.list_multi_factors),
)
