"""What is allowed at sign-in besides a password: second factors, and multi factors, which are several in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb
from portico_contracts.users import Factor

from portico_users.api.shared.listing import details_of_list
from portico_users.api.transport.call import Call
from portico_users.commands.people.new_human import NO_TEXT_MESSAGES
from portico_users.commands.policies.change_settings import Holder
from portico_users.commands.policies.login_policy import FactorList, LoginListsInForce
from portico_users.kernel.problems import at

SECOND_FACTORS: Final = {
    Factor.U2F: pb.SECOND_FACTOR_TYPE_U2F,
    Factor.TOTP: pb.SECOND_FACTOR_TYPE_OTP,
    Factor.OTP_EMAIL: pb.SECOND_FACTOR_TYPE_OTP_EMAIL,
}
MULTI_FACTORS: Final = {Factor.PASSKEY: pb.MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION}

_Type = TypeVar("_Type", bound=int)


async def list_second_factors(
    call: Call[Holder], _request: pb.ListLoginPolicySecondFactorsRequest, *, in_force: LoginListsInForce
) -> pb.ListLoginPolicySecondFactorsResponse:
    """Those that are allowed, the strongest first."""
    allowed = await in_force.factors(call.target.subject, FactorList.SECOND)
    result = [SECOND_FACTORS[factor] for factor in allowed]
    return pb.ListLoginPolicySecondFactorsResponse(details=details_of_list(len(result)), result=result)


async def list_multi_factors(
    call: Call[Holder], _request: pb.ListLoginPolicyMultiFactorsRequest, *, in_force: LoginListsInForce
) -> pb.ListLoginPolicyMultiFactorsResponse:
    """Those that are allowed."""
    allowed = await in_force.factors(call.target.subject, FactorList.MULTI)
    result = [MULTI_FACTORS[factor] for factor in allowed]
    return pb.ListLoginPolicyMultiFactorsResponse(details=details_of_list(len(result)), result=result)


def second_factor_of(
    request: pb.AddSecondFactorToLoginPolicyRequest | pb.RemoveSecondFactorFromLoginPolicyRequest,
) -> Factor:
    """The second factor a request names; USER-404 for text messages."""
    if request.type == pb.SECOND_FACTOR_TYPE_OTP_SMS:
        raise at("type", NO_TEXT_MESSAGES.error())
    return _factor(SECOND_FACTORS, request.type)


def multi_factor_of(
    request: pb.AddMultiFactorToLoginPolicyRequest | pb.RemoveMultiFactorFromLoginPolicyRequest,
) -> Factor:
    """The multi factor a request names."""
    return _factor(MULTI_FACTORS, request.type)


def factors_named(types: Mapping[Factor, _Type], named: Iterable[_Type]) -> set[Factor | None]:
    """The factors of a list in a message; None for one that there is not."""
    by_type = {type: factor for factor, type in types.items()}
    return {by_type.get(one) for one in named}


def _factor(types: Mapping[Factor, _Type], type: _Type) -> Factor:
    return next(factor for factor, named in types.items() if named == type)
