"""Search over all kinds of objects that the caller can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_contracts.generated.portico.management.v1 import search_service_pb2 as pb

from portico_users.administrators.permissions import Permission
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.caller import Caller
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.management_api.transport.targets import EVERYWHERE, header_org_id
from portico_users.search.found import Found, Kind
from portico_users.search.search import Area, Results, Search
from portico_users.values.words import typed_words

DEFAULT_LIMIT: Final = 10

_KINDS: Final = {
    Kind.HUMAN: pb.SEARCH_KIND_HUMAN,
    Kind.SERVICE_USER: pb.SEARCH_KIND_SERVICE_USER,
    Kind.APP: pb.SEARCH_KIND_APP,
    Kind.PROJECT: pb.SEARCH_KIND_PROJECT,
    Kind.GROUP: pb.SEARCH_KIND_GROUP,
    Kind.ORG: pb.SEARCH_KIND_ORG,
}
_PERMISSIONS: Final = {
    Kind.HUMAN: Permission.USER_READ,
    Kind.SERVICE_USER: Permission.USER_READ,
    Kind.APP: Permission.PROJECT_APP_READ,
    Kind.PROJECT: Permission.PROJECT_READ,
    Kind.GROUP: Permission.USER_GRANT_READ,
    Kind.ORG: Permission.ORG_READ,
}

Areas = Mapping[Kind, Area]


async def search(call: Call[Areas], request: pb.SearchRequest, *, search: Search) -> pb.SearchResponse:
    kinds = frozenset(request.kinds) or frozenset(_KINDS.values())
    areas = {kind: area for kind, area in call.target.subject.items() if _KINDS[kind] in kinds}
    limit = request.limit or DEFAULT_LIMIT
    results = await search.find(request.query, areas, limit, counted=request.count_matches)
    words = typed_words(request.query)
    return pb.SearchResponse(
        result=[_message(one, words, results) for one in results.found],
        more=[_KINDS[kind] for kind in results.more],
        counts=[
            pb.SearchCount(kind=_KINDS[kind], matches=count.matches, at_least=count.at_least)
            for kind, count in results.counts.items()
        ],
    )


async def readable_areas(context: RequestContext, _request: object) -> Target[Areas]:
    """Returns the kinds that the caller may read somewhere, with the places; a header restricts them to one."""
    named = header_org_id(context)
    areas = {kind: _area(context.caller, permission, named) for kind, permission in _PERMISSIONS.items()}
    readable = {kind: area for kind, area in areas.items() if area.orgs != () or area.projects}
    return Target(named or EVERYWHERE, readable, NOT_PERMITTED)


def _area(caller: Caller, permission: Permission, named: str) -> Area:
    places = [place for place, held in caller.by_project.items() if permission in held]
    if named:
        orgs = (named,) if caller.may(permission, named) else ()
        return Area(orgs, tuple(place for place in places if place[0] == named))
    if permission in caller.everywhere:
        return Area(None)
    return Area(caller.orgs_where(permission), tuple(places))


def _message(found: Found, words: tuple[str, ...], results: Results) -> pb.SearchResult:
    record = found.record
    return pb.SearchResult(
        kind=_KINDS[found.kind],
        id=record.id,
        org_id=record.org_id,
        org_name=results.org_names.get(record.org_id, ""),
        project_id=found.project_id,
        title=found.title,
        subtitle=found.subtitle,
        matched=found.matched(words),
        other_match=found.other_match(words),
    )
