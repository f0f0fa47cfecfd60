"""The login policy: what is required at sign-in, its factors, and which identity providers are offered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import msgspec
from portico_contracts.generated.portico.management.v1 import idp_pb2
from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb
from portico_contracts.users import EnrolmentDemand, Factor, FirstFactor
from portico_runtime.process.clock import Clock

from portico_users.administrators.permissions import Permission
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.idp_fields import IDP
from portico_users.management_api.protobuf.details import details_of
from portico_users.management_api.protobuf.listing import details_of_list, page_out_of
from portico_users.management_api.protobuf.messages import message_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.policies.affected import AffectedUsers, FirstFactorQuestion, Ways, ways_of
from portico_users.policies.api.places import message_of_caller, message_of_places, places_in
from portico_users.policies.commands import FactorList, LoginLists, LoginListsInForce, OfferIdp, OwnLoginPolicy
from portico_users.policies.edit_policies import Holder
from portico_users.policies.login_rules import LoginRules, allows_devices
from portico_users.policies.login_rules import in_force as rules_in_force
from portico_users.policies.place_guard import PlaceGuard
from portico_users.policies.place_rules import problems_of_places
from portico_users.values.names import INSTANCE
from portico_users.values.problems import refuse_first
from portico_users.values.records import Record

_ENROLMENTS: Final = {
    EnrolmentDemand.EMAIL: pb.ENROLMENT_TYPE_EMAIL,
    EnrolmentDemand.PASSWORD: pb.ENROLMENT_TYPE_PASSWORD,
}
_DEMANDS: Final = {named: demand for demand, named in _ENROLMENTS.items()}


DAY_SECONDS: Final = 86_400


async def count_affected(
    call: Call[Holder],
    request: pb.CountAffectedUsersRequest,
    *,
    affected: AffectedUsers,
    in_force: LoginListsInForce,
    places: PlaceGuard,
    clock: Clock,
) -> pb.CountAffectedUsersResponse:
    holder = call.target.subject
    org_id = holder.id if isinstance(holder, Org) else ""
    may_name = call.caller.may(Permission.USER_READ, org_id or INSTANCE)
    if request.inherited and org_id:
        own, inherited = await in_force.rules(holder)
        before, after = rules_in_force(own, inherited), rules_in_force(inherited)
        asked = FirstFactorQuestion(ways_of(after), call.caller.user_id, may_name, before=ways_of(before))
        found = await affected.count(org_id, after.factors, 0, asked)
        return pb.CountAffectedUsersResponse(**found._asdict())
    named = factors_named(SECOND_FACTORS, request.second_factors) | factors_named(MULTI_FACTORS, request.multi_factors)
    expired = clock.now() - request.max_age_days * DAY_SECONDS if request.max_age_days else 0
    factors = [factor for factor in named if factor is not None]
    ways = Ways(first_factors_named(request.first_factors), tuple(request.idp_ids))
    first = FirstFactorQuestion(ways, call.caller.user_id, may_name)
    counted = pb.CountAffectedUsersResponse(**(await affected.count(org_id, factors, expired, first))._asdict())
    if wanted := places_in(None, request):
        refuse_first(problems_of_places(wanted))
        if judged := await places.judge_caller(wanted):
            counted.caller_place.CopyFrom(message_of_caller(*judged))
    return counted


async def get_policy(
    call: Call[Holder], _request: pb.GetPolicyRequest, *, in_force: LoginListsInForce
) -> pb.GetLoginPolicyResponse:
    holder = call.target.subject
    both = await in_force.rules(holder)
    rules = rules_in_force(*both)
    policy = pb.LoginPolicy(
        details=details_of(holder),
        allow_register=rules.may_register,
        verified_email_required=rules.verified_mail,
        force_mfa=rules.force_mfa,
        hide_password_reset=rules.hide_password_reset,
        allow_external_idp=rules.allow_external_idp,
        second_factors=[SECOND_FACTORS[factor] for factor in rules.second_factors],
        multi_factors=[MULTI_FACTORS[factor] for factor in rules.multi_factors],
        idps=[_link(idp) for idp in await in_force.offered(both)],
        enrolment=_ENROLMENTS[rules.enrolment],
        allow_device_authorization=rules.allow_device_authorization,
        device_authorization_in_force=allows_devices(*both),
        allow_email_code_sign_in=rules.allow_email_code_sign_in,
        trusted_device_days=rules.trusted_device_days,
        allow_account_deletion=rules.allow_account_deletion,
        exempt_instance_owners=rules.exempt_instance_owners,
        redirect_to_provider=rules.redirect_to_provider,
        join_by_domain=rules.join_by_domain,
        is_default=not isinstance(holder, Org) or holder.login_rules == LoginRules(),
    )
    if rules.first_factors is not None:
        policy.first_factors.types.extend(FIRST_FACTORS[one] for one in rules.first_factors)
    if rules.sign_in_from is not None:
        policy.sign_in_from.CopyFrom(message_of_places(rules.sign_in_from))
    return pb.GetLoginPolicyResponse(policy=policy)


async def add_policy(
    call: Call[Org], request: pb.SetLoginPolicyRequest, *, policy: OwnLoginPolicy
) -> pb.PolicyChangedResponse:
    org, actor = call.target.subject, call.caller.user_id
    return _changed(await policy.add(org, _lists(request), _rules(org.login_rules, request), actor=actor))


async def update_policy(
    call: Call[Holder], request: pb.SetLoginPolicyRequest, *, policy: OwnLoginPolicy
) -> pb.PolicyChangedResponse:
    holder, actor = call.target.subject, call.caller.user_id
    return _changed(await policy.update(holder, _lists(request), _rules(holder.login_rules, request), actor=actor))


async def reset_policy(
    call: Call[Org], _request: pb.ResetPolicyRequest, *, policy: OwnLoginPolicy
) -> pb.PolicyChangedResponse:
    return _changed(await policy.reset(call.target.subject, actor=call.caller.user_id))


async def add_idp(
    call: Call[Holder], request: pb.AddIDPToLoginPolicyRequest, *, offer_idp: OfferIdp
) -> pb.PolicyChangedResponse:
    open_ = request.owner_type == idp_pb2.IDP_OWNER_TYPE_UNSPECIFIED
    of_instance = None if open_ else request.owner_type == idp_pb2.IDP_OWNER_TYPE_SYSTEM
    return _changed(await offer_idp(call.target.subject, request.idp_id, of_instance, actor=call.caller.user_id))


async def list_idps(
    call: Call[Holder], request: pb.ListLoginPolicyIDPsRequest, *, in_force: LoginListsInForce
) -> pb.ListLoginPolicyIDPsResponse:
    offered = await in_force.offered(await in_force.rules(call.target.subject))
    page = page_out_of([_link(idp) for idp in offered], request.query)
    return pb.ListLoginPolicyIDPsResponse(details=details_of_list(len(offered)), result=page)


def _lists(request: pb.SetLoginPolicyRequest) -> LoginLists:
    return LoginLists(
        idps={link.idp_id for link in request.idps},
        second_factors=factors_named(SECOND_FACTORS, request.second_factors),
        multi_factors=factors_named(MULTI_FACTORS, request.multi_factors),
    )


_UNCHANGED_IF_ABSENT: Final = (
    "allow_external_idp",
    "allow_device_authorization",
    "allow_email_code_sign_in",
    "trusted_device_days",
    "allow_account_deletion",
    "exempt_instance_owners",
    "redirect_to_provider",
    "join_by_domain",
)


def _rules(before: LoginRules, request: pb.SetLoginPolicyRequest) -> LoginRules:
    return msgspec.structs.replace(
        before,
        may_register=request.allow_register,
        verified_mail=request.verified_email_required,
        force_mfa=request.force_mfa,
        hide_password_reset=request.hide_password_reset,
        enrolment=_DEMANDS.get(request.enrolment, EnrolmentDemand.EMAIL),
        first_factors=_first_factors(before, request),
        sign_in_from=places_in(before.sign_in_from, request),
        **{name: getattr(request, name) for name in _UNCHANGED_IF_ABSENT if request.HasField(name)},
    )


def _first_factors(before: LoginRules, request: pb.SetLoginPolicyRequest) -> tuple[FirstFactor, ...] | None:
    if not request.HasField("first_factors"):
        return before.first_factors
    named = first_factors_named(request.first_factors.types)
    return None if request.first_factors.unrestricted and not named else named


def first_factors_named(types: Iterable[int]) -> tuple[FirstFactor, ...]:
    """In one order, each once."""
    wanted = set(types)
    return tuple(factor for factor, named in FIRST_FACTORS.items() if named in wanted)


def _changed(holder: Record) -> pb.PolicyChangedResponse:
    return pb.PolicyChangedResponse(details=details_of(holder))


def _link(idp: Idp) -> pb.IDPLoginPolicyLink:
    owner = idp_pb2.IDP_OWNER_TYPE_SYSTEM if idp.of_instance else idp_pb2.IDP_OWNER_TYPE_ORG
    return message_of(pb.IDPLoginPolicyLink, IDP, idp, idp_id=idp.id, idp_name=idp.name, owner_type=owner)


SECOND_FACTORS: Final = {
    Factor.U2F: pb.SECOND_FACTOR_TYPE_U2F,
    Factor.TOTP: pb.SECOND_FACTOR_TYPE_OTP,
    Factor.OTP_EMAIL: pb.SECOND_FACTOR_TYPE_OTP_EMAIL,
    Factor.OTP_SMS: pb.SECOND_FACTOR_TYPE_OTP_SMS,
}
FIRST_FACTORS: Final = {
    FirstFactor.PASSWORD: pb.FIRST_FACTOR_TYPE_PASSWORD,
    FirstFactor.PASSKEY: pb.FIRST_FACTOR_TYPE_PASSKEY,
    FirstFactor.EMAIL_CODE: pb.FIRST_FACTOR_TYPE_EMAIL_CODE,
    FirstFactor.PROVIDER: pb.FIRST_FACTOR_TYPE_PROVIDER,
}
MULTI_FACTORS: Final = {Factor.PASSKEY: pb.MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION}

_Type = TypeVar("_Type", bound=int)


async def list_second_factors(
    call: Call[Holder], _request: pb.ListLoginPolicySecondFactorsRequest, *, in_force: LoginListsInForce
) -> pb.ListLoginPolicySecondFactorsResponse:
    allowed = await in_force.factors(call.target.subject, FactorList.SECOND)
    result = [SECOND_FACTORS[factor] for factor in allowed]
    return pb.ListLoginPolicySecondFactorsResponse(details=details_of_list(len(result)), result=result)


async def list_multi_factors(
    call: Call[Holder], _request: pb.ListLoginPolicyMultiFactorsRequest, *, in_force: LoginListsInForce
) -> pb.ListLoginPolicyMultiFactorsResponse:
    allowed = await in_force.factors(call.target.subject, FactorList.MULTI)
    result = [MULTI_FACTORS[factor] for factor in allowed]
    return pb.ListLoginPolicyMultiFactorsResponse(details=details_of_list(len(result)), result=result)


def second_factor_of(
    request: pb.AddSecondFactorToLoginPolicyRequest | pb.RemoveSecondFactorFromLoginPolicyRequest,
) -> Factor:
    return _factor(SECOND_FACTORS, request.type)


def multi_factor_of(
    request: pb.AddMultiFactorToLoginPolicyRequest | pb.RemoveMultiFactorFromLoginPolicyRequest,
) -> Factor:
    return _factor(MULTI_FACTORS, request.type)


def factors_named(types: Mapping[Factor, _Type], named: Iterable[_Type]) -> set[Factor | None]:
    by_type = {type: factor for factor, type in types.items()}
    return {by_type.get(one) for one in named}


def _factor(types: Mapping[Factor, _Type], type: _Type) -> Factor:
    return next(factor for factor, named in types.items() if named == type)
