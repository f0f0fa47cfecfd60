"""Links to identity providers, and intents: identity providers on custom login pages (decision 0051)."""

from __future__ import annotations

from typing import TypedDict

from google.protobuf.struct_pb2 import Struct
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import ListHumanLinkedIDPsResponse
from portico_contracts.generated.portico.object.v2 import object_pb2
from portico_contracts.generated.portico.user.v2 import idp_intents_pb2 as pb
from portico_contracts.generated.portico.user.v2.idp_links_pb2 import ListIDPLinksRequest, ListIDPLinksResponse
from portico_contracts.users import Profile, VerifiedIdentity
from portico_runtime.process.clock import Clock

from portico_users.accounts.account import AnyUser
from portico_users.identity_providers.commands.idp_intents import BeginIntent, RetrieveIntent
from portico_users.identity_providers.commands.password_intents import BeginByPassword
from portico_users.identity_providers.store import MongoIdps
from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list, page_out_of
from portico_users.management_api.protobuf.target_user import end_user_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.management_api.transport.targets import EVERYWHERE, header_org_id


async def org_of_intent(context: RequestContext, _request: object) -> Target[str]:
    """Requires the instance's permission before the caller can learn which providers exist."""
    return Target(EVERYWHERE, header_org_id(context), NOT_PERMITTED)


async def start_intent(
    call: Call[str],
    request: pb.StartIdentityProviderIntentRequest,
    *,
    begin: BeginIntent,
    by_password: BeginByPassword,
    clock: Clock,
) -> pb.StartIdentityProviderIntentResponse:
    org_id, actor = call.target.subject, call.caller.user_id
    if request.HasField("ldap"):
        ldap = request.ldap
        done = await by_password(request.idp_id, org_id, ldap.username, ldap.password, actor=actor)
        intent = pb.IDPIntent(idp_intent_id=done.id, idp_intent_token=done.token, user_id=done.user_id)
        details = _details(done.resource_owner, clock, sequence=1)
        return pb.StartIdentityProviderIntentResponse(details=details, idp_intent=intent, idp_intent_id=done.id)
    urls = request.urls
    begun = await begin(request.idp_id, org_id, urls.success_url, urls.failure_url, actor=actor)
    return pb.StartIdentityProviderIntentResponse(
        details=_details(begun.resource_owner, clock, sequence=1), auth_url=begun.url, idp_intent_id=begun.id
    )


async def retrieve_intent(
    call: Call[str], request: pb.RetrieveIdentityProviderIntentRequest, *, retrieve: RetrieveIntent, clock: Clock
) -> pb.RetrieveIdentityProviderIntentResponse:
    """Returns the identity; works once."""
    found = await retrieve(request.idp_intent_id, request.idp_intent_token, actor=call.caller.user_id)
    identity = found.identity
    information = pb.IDPInformation(
        idp_id=identity.provider_id,
        user_id=identity.subject,
        user_name=identity.profile.user_name,
        raw_information=_stated(identity),
    )
    return pb.RetrieveIdentityProviderIntentResponse(
        details=_details(found.resource_owner, clock, sequence=2), idp_information=information, user_id=found.user_id
    )


def _details(resource_owner: str, clock: Clock, *, sequence: int) -> object_pb2.Details:
    return object_pb2.Details(sequence=sequence, change_date=timestamp_of(clock.now()), resource_owner=resource_owner)


def _stated(identity: VerifiedIdentity) -> Struct:
    """Returns the provider's claims under the names of OpenID Connect Core section 5.1; absent ones are omitted."""
    profile: Profile = identity.profile
    claims: dict[str, str | bool | None] = {
        "iss": identity.issuer,
        "sub": identity.subject,
        "preferred_username": profile.user_name,
        "given_name": profile.first_name,
        "family_name": profile.last_name,
        "name": profile.display_name,
        "email": profile.email,
        "email_verified": profile.email_verified if profile.email else None,
        "locale": profile.language,
        "picture": profile.picture,
    }
    struct = Struct()
    struct.update({name: value for name, value in claims.items() if value not in ("", None)})
    return struct


class _Link(TypedDict):
    idp_id: str
    idp_name: str
    user_id: str
    user_name: str


async def list_idp_links(call: Call[AnyUser], request: ListIDPLinksRequest, *, idps: MongoIdps) -> ListIDPLinksResponse:
    links = await _links(call, idps)
    return ListIDPLinksResponse(details=details_of_list(len(links)), result=page_out_of(links, request.query))


async def list_human_linked_idps(
    call: Call[AnyUser], request: ListIDPLinksRequest, *, idps: MongoIdps
) -> ListHumanLinkedIDPsResponse:
    links = await _links(call, idps)
    return ListHumanLinkedIDPsResponse(details=details_of_list(len(links)), result=page_out_of(links, request.query))


async def _links(call: Call[AnyUser], idps: MongoIdps) -> list[_Link]:
    human = end_user_of(call)
    known = {idp.id: idp for idp in await idps.list_by_ids(link.idp_id for link in human.idp_links)}
    return [
        _Link(idp_id=link.idp_id, idp_name=known[link.idp_id].name, user_id=link.user_id, user_name=link.user_name)
        for link in human.idp_links
        if link.idp_id in known
    ]
