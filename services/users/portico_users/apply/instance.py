"""Plans the settings of the instance."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from portico_contracts.apply import Document
from portico_oauth.errors import Fact, Kind

from portico_users.apply.finding import Stored
from portico_users.apply.organizations import rules_of
from portico_users.apply.step import Step, Subject, step_of
from portico_users.domain.names import canonical
from portico_users.domain.problems import at
from portico_users.instance.commands import put_instance
from portico_users.instance.instance import UNSET
from portico_users.orgs.org import Org

DEFAULT_UNKNOWN = Fact(
    "USER-061",
    Kind.ABSENT,
    "There is no such organization.",
    "Name an organization of the document, or a stored one, by its id or its name.",
)


async def plan_instance(stored: Stored, document: Document, planned: Sequence[Org]) -> Step:
    """The step that brings the instance to what the document says of it.

    Args:
        planned: the organizations as the document will have made them.

    Raises:
        Refusal: USER-061 for a default organization that is not there.
    """
    before = await stored.instances.find_settings()
    after = before or UNSET
    if document.login_policy is not None:
        after = msgspec.structs.replace(after, login_rules=rules_of(document.login_policy, after.login_rules))
    if document.default_organization:
        default = await _find_org(stored, planned, document.default_organization)
        if default is None:
            raise at("defaultOrganization", DEFAULT_UNKNOWN.refusal())
        after = msgspec.structs.replace(after, default_org_id=default.id)
    return step_of(Subject("instance", "", "instance"), put_instance(before, after))


def says_something(document: Document) -> bool:
    """The document has a word about the instance."""
    return document.login_policy is not None or document.default_organization != ""


async def _find_org(stored: Stored, planned: Sequence[Org], named: str) -> Org | None:
    """By id, then by name; as the document will have made it."""
    by_id = {org.id: org for org in planned}
    if found := by_id.get(named) or await stored.orgs.find(named):
        return found
    by_name = {canonical(org.name): org for org in planned}
    if found := by_name.get(canonical(named)):
        return found
    stored_org = await stored.orgs.find_by_name(named)
    # An organization of the document was compared by its new name already.
    return None if stored_org is None or stored_org.id in by_id else stored_org
