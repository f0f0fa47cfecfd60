"""What is demanded at sign-in, and which identity providers are offered."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from portico_contracts.generated.portico.management.v1 import idp_pb2
from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.management_v1.policies.factors import MULTI_FACTORS, SECOND_FACTORS, put_rules
from portico_users.api.management_v1.policies.holders import POLICY_EXISTS, POLICY_NOT_FOUND, Holder, rules_in_force
from portico_users.api.shared.details import details_of
from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.needs import Needs
from portico_users.directory.identity_providers.changes import IDP_NOT_FOUND
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.organizations.org import Org
from portico_users.directory.policies.login_rules import (
    MAX_IDPS,
    TOO_MANY_OFFERED,
    LoginRules,
    force_mfa,
    hide_password_reset,
    may_register,
    multi_factors,
    offered_idps,
    second_factors,
    verified_mail,
)
from portico_users.kernel.problems import at

OFFERED_ALREADY = ErrorCode(
    "USER-622", Kind.ALREADY_EXISTS, "This identity provider is offered already.", "Nothing is left to be done."
)

NOT_BY_THIS = ErrorCode(
    "USER-683",
    Kind.INVALID_REQUEST,
    "Factors and identity providers of a login policy are not changed by this operation.",
    "Put back what was read, or leave it out; operations of their own add and remove them.",
)


async def get_policy(call: Call[Holder], _request: pb.GetPolicyRequest) -> pb.GetLoginPolicyResponse:
    """What holds."""
    holder = call.target.subject
    rules = await rules_in_force(call.needs, holder)
    policy = pb.LoginPolicy(
        details=details_of(holder),
        allow_register=may_register(*rules),
        verified_email_required=verified_mail(*rules),
        force_mfa=force_mfa(*rules),
        hide_password_reset=hide_password_reset(*rules),
        second_factors=[SECOND_FACTORS[factor] for factor in second_factors(*rules)],
        multi_factors=[MULTI_FACTORS[factor] for factor in multi_factors(*rules)],
        idps=[_link(idp) for idp in await _offered(call.needs, rules)],
        is_default=not isinstance(holder, Org) or holder.login_rules == LoginRules(),
    )
    return pb.GetLoginPolicyResponse(policy=policy)


async def add_policy(call: Call[Org], request: pb.SetLoginPolicyRequest) -> pb.PolicyChangedResponse:
    """Gives the organization its own; USER-618 when it has one, USER-683 for what other operations change."""
    if _says_something(call.target.subject):
        raise POLICY_EXISTS.error()
    await _refuse_other_lists(call, request)
    return await _put(call, _wanted(call.target.subject.login_rules, request))


async def update_policy(call: Call[Holder], request: pb.SetLoginPolicyRequest) -> pb.PolicyChangedResponse:
    """Replaces it, but what is offered and what counts.

    Raises:
        ServiceError: USER-619 when an organization has none of its own, USER-683 for what other operations change.
    """
    holder = call.target.subject
    if isinstance(holder, Org) and not _says_something(holder):
        raise POLICY_NOT_FOUND.error()
    await _refuse_other_lists(call, request)
    return await _put(call, _wanted(holder.login_rules, request))


async def reset_policy(call: Call[Org], _request: pb.ResetPolicyRequest) -> pb.PolicyChangedResponse:
    """Back to the instance's, with what it offers; USER-619 when it holds already."""
    if call.target.subject.login_rules == LoginRules():
        raise POLICY_NOT_FOUND.error()
    return await _put(call, LoginRules())


async def add_idp(call: Call[Holder], request: pb.AddIDPToLoginPolicyRequest) -> pb.PolicyChangedResponse:
    """Offers one more. The first one of an organization ends what it offers of the instance's.

    Raises:
        ServiceError: USER-318 for one the holder may not use, USER-622, USER-623.
    """
    holder = call.target.subject
    idp = await call.needs.idps.find_usable(request.idp_id, holder.id)
    if idp is None or request.owner_type not in (idp_pb2.IDP_OWNER_TYPE_UNSPECIFIED, _owner(idp)):
        raise IDP_NOT_FOUND.error()
    offered = holder.login_rules.idps or ()
    if idp.id in offered:
        raise OFFERED_ALREADY.error()
    if len(offered) >= MAX_IDPS:
        raise TOO_MANY_OFFERED.error()
    return await _put(call, msgspec.structs.replace(holder.login_rules, idps=(*offered, idp.id)))


async def remove_idp(call: Call[Holder], request: pb.RemoveIDPFromLoginPolicyRequest) -> pb.PolicyChangedResponse:
    """Offers one less; USER-318 when the holder does not offer it."""
    rules = call.target.subject.login_rules
    if request.idp_id not in (rules.idps or ()):
        raise IDP_NOT_FOUND.error()
    left = tuple(id for id in rules.idps or () if id != request.idp_id)
    return await _put(call, msgspec.structs.replace(rules, idps=left))


async def list_idps(call: Call[Holder], request: pb.ListLoginPolicyIDPsRequest) -> pb.ListLoginPolicyIDPsResponse:
    """Those that are offered."""
    offered = await _offered(call.needs, await rules_in_force(call.needs, call.target.subject))
    page = page_out_of([_link(idp) for idp in offered], request.query)
    return pb.ListLoginPolicyIDPsResponse(details=details_of_list(len(offered)), result=page)


def _says_something(org: Org) -> bool:
    rules = org.login_rules
    said = (rules.may_register, rules.verified_mail, rules.force_mfa, rules.hide_password_reset)
    return any(one is not None for one in said)


async def _refuse_other_lists(call: Call[Holder] | Call[Org], request: pb.SetLoginPolicyRequest) -> None:
    """Lists that were read are taken when they are put back as they are; a list that is left out says nothing."""
    rules = await rules_in_force(call.needs, call.target.subject)
    offered = {idp.id for idp in await _offered(call.needs, rules)} if request.idps else set()
    for place, given, known in (
        ("idps", {link.idp_id for link in request.idps}, offered),
        ("secondFactors", set(request.second_factors), {SECOND_FACTORS[one] for one in second_factors(*rules)}),
        ("multiFactors", set(request.multi_factors), {MULTI_FACTORS[one] for one in multi_factors(*rules)}),
    ):
        if given and given != known:
            raise at(place, NOT_BY_THIS.error())


def _wanted(before: LoginRules, request: pb.SetLoginPolicyRequest) -> LoginRules:
    return msgspec.structs.replace(
        before,
        may_register=request.allow_register,
        verified_mail=request.verified_email_required,
        force_mfa=request.force_mfa,
        hide_password_reset=request.hide_password_reset,
    )


async def _put(call: Call[Holder] | Call[Org], rules: LoginRules) -> pb.PolicyChangedResponse:
    return pb.PolicyChangedResponse(details=await put_rules(call, rules))


async def _offered(needs: Needs, rules: Sequence[LoginRules]) -> list[Idp]:
    """The identity providers in the order they are offered, without removed ones."""
    ids = offered_idps(*rules)
    found = {idp.id: idp for idp in await needs.idps.list_by_ids(ids)}
    return [found[id] for id in ids if id in found]


def _link(idp: Idp) -> pb.IDPLoginPolicyLink:
    return pb.IDPLoginPolicyLink(idp_id=idp.id, idp_name=idp.name, owner_type=_owner(idp))


def _owner(idp: Idp) -> idp_pb2.IDPOwnerType:
    return idp_pb2.IDP_OWNER_TYPE_SYSTEM if idp.of_instance else idp_pb2.IDP_OWNER_TYPE_ORG
