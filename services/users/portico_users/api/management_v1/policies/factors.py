"""What counts at sign-in besides a password: second factors, and what is several factors in one.

Who changes the first one says something of their own from then on: what is in force, with that change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec
from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb
from portico_contracts.users import Factor
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.management_v1.policies.holders import Holder, put, rules_in_force
from portico_users.api.shared.details import Details
from portico_users.api.shared.listing import details_of_list
from portico_users.api.transport.call import Call
from portico_users.commands.people.new_human import NO_TEXT_MESSAGES
from portico_users.directory.policies.login_rules import LoginRules, multi_factors, second_factors
from portico_users.kernel.problems import at

ALLOWED_ALREADY = ErrorCode(
    "USER-881", Kind.ALREADY_EXISTS, "This factor is allowed already.", "Nothing is left to be done."
)
NOT_ALLOWED = ErrorCode("USER-882", Kind.NOT_FOUND, "This factor is not allowed.", "Nothing is left to be done.")

SECOND_FACTORS: Final = {
    Factor.U2F: pb.SECOND_FACTOR_TYPE_U2F,
    Factor.TOTP: pb.SECOND_FACTOR_TYPE_OTP,
    Factor.OTP_EMAIL: pb.SECOND_FACTOR_TYPE_OTP_EMAIL,
}
MULTI_FACTORS: Final = {Factor.PASSKEY: pb.MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION}

_Factors = tuple[Factor, ...]
_Type = TypeVar("_Type", bound=int)


async def add_second_factor(
    call: Call[Holder], request: pb.AddSecondFactorToLoginPolicyRequest
) -> pb.PolicyChangedResponse:
    """One more counts; USER-404 for text messages, USER-881 for one that counts already."""
    wanted = _added(second_factors(*await _in_force(call)), _second_factor(request.type))
    return await _put(call, second_factors=wanted)


async def remove_second_factor(
    call: Call[Holder], request: pb.RemoveSecondFactorFromLoginPolicyRequest
) -> pb.PolicyChangedResponse:
    """One less counts, at the next sign-in; USER-882 for one that does not, USER-883, USER-911 for the last where one is
    forced.
    """
    left = _removed(second_factors(*await _in_force(call)), _second_factor(request.type))
    return await _put(call, second_factors=left)


async def list_second_factors(
    call: Call[Holder], _request: pb.ListLoginPolicySecondFactorsRequest
) -> pb.ListLoginPolicySecondFactorsResponse:
    """Those that count, the strongest first."""
    result = [SECOND_FACTORS[factor] for factor in second_factors(*await _in_force(call))]
    return pb.ListLoginPolicySecondFactorsResponse(details=details_of_list(len(result)), result=result)


async def add_multi_factor(
    call: Call[Holder], request: pb.AddMultiFactorToLoginPolicyRequest
) -> pb.PolicyChangedResponse:
    """As `add_second_factor`."""
    wanted = _added(multi_factors(*await _in_force(call)), _factor(MULTI_FACTORS, request.type))
    return await _put(call, multi_factors=wanted)


async def remove_multi_factor(
    call: Call[Holder], request: pb.RemoveMultiFactorFromLoginPolicyRequest
) -> pb.PolicyChangedResponse:
    """As `remove_second_factor`: nobody signs in with a passkey any more."""
    left = _removed(multi_factors(*await _in_force(call)), _factor(MULTI_FACTORS, request.type))
    return await _put(call, multi_factors=left)


async def list_multi_factors(
    call: Call[Holder], _request: pb.ListLoginPolicyMultiFactorsRequest
) -> pb.ListLoginPolicyMultiFactorsResponse:
    """Those that count."""
    result = [MULTI_FACTORS[factor] for factor in multi_factors(*await _in_force(call))]
    return pb.ListLoginPolicyMultiFactorsResponse(details=details_of_list(len(result)), result=result)


async def put_rules(call: Call[Any], rules: LoginRules) -> Details:
    """Commits changed login rules.

    Raises:
        ServiceError: USER-883 when they demand a factor and none would count, an organization's together with the
            instance's; USER-911 when an instance's would do that to an organization; USER-702.
    """
    return await put(call, msgspec.structs.replace(call.target.subject, login_rules=rules))


async def _put(call: Call[Holder], **factors: _Factors) -> pb.PolicyChangedResponse:
    rules = msgspec.structs.replace(call.target.subject.login_rules, **factors)
    return pb.PolicyChangedResponse(details=await put_rules(call, rules))


async def _in_force(call: Call[Holder]) -> tuple[LoginRules, LoginRules]:
    return await rules_in_force(call.needs, call.target.subject)


def _second_factor(type: pb.SecondFactorType) -> Factor:
    if type == pb.SECOND_FACTOR_TYPE_OTP_SMS:
        raise at("type", NO_TEXT_MESSAGES.error())
    return _factor(SECOND_FACTORS, type)


def _factor(types: Mapping[Factor, _Type], type: _Type) -> Factor:
    return next(factor for factor, named in types.items() if named == type)


def _added(allowed: _Factors, factor: Factor) -> _Factors:
    if factor in allowed:
        raise ALLOWED_ALREADY.error()
    return tuple(one for one in Factor if one in (*allowed, factor))


def _removed(allowed: _Factors, factor: Factor) -> _Factors:
    if factor not in allowed:
        raise NOT_ALLOWED.error()
    return tuple(one for one in allowed if one is not factor)
