"""The handlers: what a routed request does, and its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qsl

from portico_oauth.errors import INVALID_INPUT, PATH_NOT_FOUND
from starlette.requests import Request
from starlette.responses import Response

from portico_users.end_users.end_user import EndUser
from portico_users.groups.group import Group
from portico_users.journal.expected_version import expecting
from portico_users.scim.api.answers import base_of, is_any, read_tag, respond, shown_group, shown_user, tag_of
from portico_users.scim.api.paths import Resource, Route
from portico_users.scim.protocol import discovery, listing
from portico_users.scim.protocol.attributes import Resource as Members
from portico_users.scim.protocol.attributes import selected, wants
from portico_users.scim.protocol.errors import GROUP_WITHOUT_VERSION
from portico_users.scim.protocol.filters import Filter, parse_filter
from portico_users.scim.protocol.groups import ScimGroups
from portico_users.scim.protocol.session import Session
from portico_users.scim.protocol.users import ScimUsers
from portico_users.scim.protocol.values import read_object, read_text
from portico_users.values.operator_settings import Issuer

_MOST: Final = 100
Perform = Callable[[], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters, conditions and body of a request; `attributes` and `excluded` are names of attributes."""

    page: listing.Asked
    condition: Filter | None
    attributes: tuple[str, ...]
    excluded: tuple[str, ...]
    if_match: tuple[str, ...] = ()
    if_none_match: str = ""
    body: object = None

    @classmethod
    def read(cls, request: Request, body: object) -> Asked:
        """Raises USER-209 for a filter that is not valid, before anything is read from the store."""
        query = request.scope["query_string"]
        try:
            pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST, errors="strict")
        except ValueError:
            raise INVALID_INPUT.error() from None
        found = cls._of(dict(pairs))
        return replace(
            found,
            if_match=tuple(request.headers.getlist("if-match")),
            if_none_match=request.headers.get("if-none-match", ""),
            body=body,
        )

    @classmethod
    def search(cls, body: object) -> Asked:
        """The parameters of a list in the body of a POST."""
        members = read_object(body, "body")
        return cls._of({name: _text_of(value, name) for name, value in members.items() if value is not None})

    @classmethod
    def _of(cls, parameters: Mapping[str, str]) -> Asked:
        condition = parameters.get("filter")
        return cls(
            page=listing.read_asked(parameters),
            condition=parse_filter(condition) if condition else None,
            attributes=_listed(parameters.get("attributes", "")),
            excluded=_listed(parameters.get("excludedAttributes", "")),
        )

    @property
    def has_version(self) -> bool:
        return bool(self.if_match)

    def select(self, resource: Members) -> Members:
        return selected(resource, self.attributes, self.excluded)


def _text_of(value: object, name: str) -> str:
    return ",".join(read_text(one, name) for one in value) if isinstance(value, list) else read_text(value, name)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(one for one in text.split(",") if one.strip())


@dataclass(frozen=True, slots=True)
class Resources:
    users: ScimUsers
    groups: ScimGroups
    issuer: Issuer

    def handler(self, session: Session, route: Route, verb: str, asked: Asked) -> Perform:
        """Returns what the routed request does; called again, it reads everything again."""

        async def perform() -> Response:
            match route.resource:
                case Resource.USERS:
                    return await (self._user if route.id else self._people)(session, route, verb, asked)
                case Resource.GROUPS:
                    return await (self._group if route.id else self._all_groups)(session, route, verb, asked)
                case _:
                    return respond(self._described(session, route))

        return perform

    async def _people(self, session: Session, _route: Route, verb: str, asked: Asked) -> Response:
        base = base_of(session, self.issuer)
        if verb == "POST":
            user = await self.users.create(session, asked.body)
            return self._shown(user, base, asked, 201)
        found = await self.users.find_all(session, asked.condition, asked.page)
        shown = [asked.select(shown_user(user, base)) for user in found.records]
        return respond(listing.list_response(found, asked.page, shown))

    async def _user(self, session: Session, route: Route, verb: str, asked: Asked) -> Response:
        base, user = base_of(session, self.issuer), await self.users.find(session, route.id)
        with expecting(read_tag(asked.if_match)) as expected:
            if expected:
                expected.require(user.sequence)
            match verb:
                case "DELETE":
                    await self.users.delete(session, user)
                    return respond(None, 204)
                case "PUT":
                    user = await self.users.replace(session, user, asked.body)
                case "PATCH":
                    user = await self.users.patch(session, user, asked.body)
                case _ if asked.if_none_match.strip() == tag_of(user):
                    return respond(None, 304, {"ETag": tag_of(user)})
        return self._shown(user, base, asked, 200)

    def _shown(self, user: EndUser, base: str, asked: Asked, status: int) -> Response:
        resource = shown_user(user, base)
        headers = {"ETag": tag_of(user), "Location": resource["meta"]["location"]}
        return respond(asked.select(resource), status, headers)

    async def _all_groups(self, session: Session, _route: Route, verb: str, asked: Asked) -> Response:
        if verb == "POST":
            return await self._group_response(session, await self.groups.create(session, asked.body), asked, 201)
        found = await self.groups.find_all(session, asked.condition, asked.page)
        members = await self._members(session, found.records, asked)
        base = base_of(session, self.issuer)
        shown = [asked.select(shown_group(group, base, members.get(group.id))) for group in found.records]
        return respond(listing.list_response(found, asked.page, shown))

    async def _group(self, session: Session, route: Route, verb: str, asked: Asked) -> Response:
        group = await self.groups.find(session, route.id)
        if not is_any(asked.if_match):
            raise GROUP_WITHOUT_VERSION.error()
        match verb:
            case "DELETE":
                await self.groups.delete(session, group)
                return respond(None, 204)
            case "PATCH":
                group = await self.groups.patch(session, group, asked.body)
                if not asked.attributes:  # RFC 7644 section 3.5.2 allows an answer without the resource
                    return respond(None, 204)
            case "PUT":
                group = await self.groups.replace(session, group, asked.body)
        return await self._group_response(session, group, asked, 200)

    async def _group_response(self, session: Session, group: Group, asked: Asked, status: int) -> Response:
        members = await self._members(session, [group], asked)
        resource = shown_group(group, base_of(session, self.issuer), members.get(group.id))
        return respond(asked.select(resource), status, {"Location": resource["meta"]["location"]})

    async def _members(self, session: Session, groups: list[Group], asked: Asked) -> dict[str, list[str]]:
        if not wants("members", asked.attributes, asked.excluded):
            return {}
        return await self.groups.members(session, groups)

    def _described(self, session: Session, route: Route) -> Members:
        base = base_of(session, self.issuer)
        if route.resource is Resource.CONFIGURATION:
            return discovery.configuration(base)
        make = discovery.schemas if route.resource is Resource.SCHEMAS else discovery.resource_types
        found = make(base, session.placement)
        if not route.id:
            return discovery.all_of(found)
        for one in found:
            if one["id"] == route.id:
                return one
        raise PATH_NOT_FOUND.error()
