"""Reads the links of a human to identity providers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from portico_contracts import apply as document

from portico_users.bulk.apply.plan import Plan
from portico_users.directory.identity_providers.store import IDP_NOT_FOUND
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.idp_links import LINK_TAKEN, IdpLink, IdpLinks
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.problems import at

Wanted = Sequence[document.IdpLink]


async def plan_links(plan: Plan, org: Org, before: IdpLinks, wanted: Wanted | None, path: str) -> IdpLinks:
    """All links the human will have: the stored ones with the wanted ones set.

    Args:
        org: the human's organization.
        before: the links the human has.
        path: place of the human in the document.

    Raises:
        ServiceError: USER-318 for an identity provider the organization may not use, USER-610 for a link that is
            given twice; each with its place.
    """
    if wanted is None:
        return before
    links: dict[str, IdpLink] = {}
    known = {link.key: link for link in before}
    for number, one in enumerate(wanted):
        place = f"{path}.idpLinks[{number}]"
        idp = await plan.find_idp((org.id, INSTANCE), one.idp)
        if idp is None:
            raise at(f"{place}.idp", IDP_NOT_FOUND.error())
        link = IdpLink(idp_id=idp.id, user_id=one.user_id, user_name=one.user_name)
        if link.key in links:
            raise at(place, LINK_TAKEN.error())
        # A document has neither issuer nor groups: what a sign-in linked it with stays.
        links[link.key] = msgspec.structs.replace(known.get(link.key, link), user_name=link.user_name)
    kept = {} if plan.prune else {link.key: link for link in before}
    # The order of those that stay is theirs.
    order = {link.key: number for number, link in enumerate(before)}
    together = (kept | links).values()
    return tuple(sorted(together, key=lambda link: order.get(link.key, len(order))))
