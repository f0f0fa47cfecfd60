"""What the caller has to do with: organizations, permissions, branding and events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from portico_contracts.activities.sign_ins import AGENTS, IMPERSONATIONS, SIGN_INS
from portico_contracts.generated.portico.management.v1 import caller_service_pb2 as pb
from portico_contracts.generated.portico.management.v1.event_service_pb2 import Event, EventObject
from portico_contracts.users import Palette

from portico_users.accounts.search import Comparison, TextCondition
from portico_users.accounts.store import ACCOUNTS
from portico_users.administrators.member import Member, MongoMembers
from portico_users.administrators.permissions import Permission, Scope, permissions_of
from portico_users.applications.store import APPS
from portico_users.audit.object_names import NamedObject, ObjectNames, Reference
from portico_users.journal.event_log import EventLog, LoggedEvent, ended_by_another
from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.caller import Caller
from portico_users.organizations.messages import org_message
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.policies.login_policies import LoginPolicies, PoliciesInForce
from portico_users.policies.password_policy import STANDARD
from portico_users.storage.entry import NOT_DELETED, Document


async def list_my_orgs(call: Call[None], request: pb.ListMyOrgsRequest, *, orgs: MongoOrgs) -> pb.ListMyOrgsResponse:
    question: Document = {"$and": [NOT_DELETED, *_known_to(call.caller), *_found_by(request.search)]}
    found = await orgs.list_page(question, page_of(request.query, "nameKey")._replace(ascending=True))
    return pb.ListMyOrgsResponse(
        details=details_of_list(found.total),
        result=[org_message(org) for org in found.records],
        own_org_id=call.caller.org_id,
    )


async def list_my_permissions(
    call: Call[Org], request: pb.ListMyPermissionsRequest, *, members: MongoMembers, rules: LoginPolicies
) -> pb.ListMyPermissionsResponse:
    org = call.target.subject
    roles: dict[Permission, set[str]] = defaultdict(set)
    everywhere: set[Permission] = set()
    for member in await members.list_of_user(call.caller.user_id):
        if not _counts(member, org.id, request.project_id):
            continue
        for role in member.roles:
            for permission in permissions_of(role):
                roles[permission].add(role)
                if member.scope is Scope.INSTANCE:
                    everywhere.add(permission)
    if org.id == call.caller.org_id and await rules.lets_delete_account(org.id):
        roles[Permission.USER_SELF_DELETE]  # allowed to all users of the organization, without a role
    return pb.ListMyPermissionsResponse(
        org=org_message(org),
        permissions=[
            pb.HeldPermission(permission=one, roles=sorted(roles[one]), everywhere=one in everywhere)
            for one in sorted(roles)
        ],
        instance=bool(everywhere),
    )


def _known_to(caller: Caller) -> list[Document]:
    """Returns the filter for organizations the caller may see; empty for callers who may read all."""
    if Permission.IAM_READ in caller.everywhere:
        return []
    known = {caller.org_id, *caller.by_org, *(org_id for org_id, _project in caller.by_project)}
    return [{"_id": {"$in": sorted(known)}}]


def _found_by(search: str) -> list[Document]:
    if not search:
        return []
    members = ("name", "primaryDomain")
    return [{"$or": [TextCondition(one, search, Comparison.CONTAINS_IGNORE_CASE).as_question() for one in members]}]


def _counts(member: Member, org_id: str, project_id: str) -> bool:
    match member.scope:
        case Scope.INSTANCE:
            return True
        case Scope.ORGANIZATION:
            return member.scope_id == org_id
        case Scope.PROJECT | Scope.PROJECT_GRANT:
            return (member.org_id, member.scope_id) == (org_id, project_id)


async def get_my_branding(
    call: Call[None], _request: pb.GetMyBrandingRequest, *, policies: PoliciesInForce
) -> pb.GetMyBrandingResponse:
    branding = await policies.branding(call.caller.org_id)
    return pb.GetMyBrandingResponse(
        light=_colors(branding.light),
        dark=_colors(branding.dark),
        font_family=branding.font_family.value,
        logo_url=branding.logo,
        logo_url_dark=branding.logo_dark,
        logo_text=branding.logo_text,
        tos_link=branding.tos_link,
        privacy_link=branding.privacy_link,
        help_link=branding.help_link,
        support_email=branding.support_email,
        disable_watermark=branding.hide_watermark,
    )


async def get_my_password_rules(
    call: Call[None], _request: pb.GetMyPasswordRulesRequest, *, policies: PoliciesInForce
) -> pb.GetMyPasswordRulesResponse:
    rules = (await policies.of(call.caller.org_id)).password or STANDARD
    return pb.GetMyPasswordRulesResponse(
        min_length=rules.min_length,
        has_uppercase=rules.uppercase,
        has_lowercase=rules.lowercase,
        has_number=rules.number,
        has_symbol=rules.symbol,
    )


def _colors(palette: Palette) -> pb.BrandColors:
    return pb.BrandColors(primary=palette.primary, background=palette.background, warn=palette.warn, font=palette.font)


async def list_my_events(
    call: Call[None], request: pb.ListMyEventsRequest, *, events: EventLog, names: ObjectNames
) -> pb.ListMyEventsResponse:
    """Returns changes without values, which may contain what others wrote about the caller; and sign-ins."""
    id = call.caller.user_id
    mine: list[Document] = [
        {"object": id, "table": ACCOUNTS.name},
        {"actor": id, "table": SIGN_INS, "values.userId": id},
        ended_by_another(id),
        *({"table": table, "values.userId": id} for table in (IMPERSONATIONS, AGENTS)),
    ]
    found = await events.search({"$and": [{"at": {"$gte": 0.0}}, {"$or": mine}]}, page_of(request.query, "at"))
    apps = await names.find((APPS.name, app) for one in found.events if (app := app_in(one)))
    return pb.ListMyEventsResponse(
        details=details_of_list(found.total), result=[_message(event, apps) for event in found.events]
    )


_IN_APPLICATIONS = frozenset({SIGN_INS, IMPERSONATIONS, AGENTS})


def app_in(event: LoggedEvent) -> str:
    """The id of the application of a sign-in, and of an agent that was ended; empty for every other event."""
    return str(event.values.get("appId", "")) if event.table in _IN_APPLICATIONS else ""


def _message(event: LoggedEvent, apps: Mapping[Reference, NamedObject]) -> Event:
    message = Event(
        id=event.id,
        aggregate_type=event.table,
        aggregate_id=event.object,
        resource_owner=event.org_id,
        sequence=event.sequence,
        creation_date=timestamp_of(event.at),
        editor_user_id=event.actor,
        type=event.type,
        fields=event.fields,
        activity=event.activity.key,
    )
    if event.table in _IN_APPLICATIONS:
        message.payload.update({name: event.values[name] for name in _SHOWN if name in event.values})
        app = apps.get((APPS.name, app_in(event)))
        message.related.extend([EventObject(id=app.id, type=APPS.name, name=app.name)] if app else [])
    return message


_SHOWN = ("methods", "skippedFactor", "device", "country", "count")
