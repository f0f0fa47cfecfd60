"""The organization: the record, what it must be like, and where MongoDB stores it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec
from portico_contracts.events import ORG_CHANGED
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import Database
from pymongo import ASCENDING, IndexModel

from portico_users.organizations.domains import DOMAIN_TAKEN, MAX_DOMAINS, Domain
from portico_users.policies import login_rules, policies
from portico_users.policies.login_rules import LoginRules
from portico_users.policies.policies import Policies
from portico_users.storage.entry import Document, Table
from portico_users.storage.gathering import Gathering
from portico_users.storage.reader import Reader
from portico_users.values.names import INVALID_DOMAIN, INVALID_NAME, canonical, domain_key, is_domain, is_name, slug
from portico_users.values.problems import Problem, Problems
from portico_users.values.records import Record, State
from portico_users.values.word_keys import word_indexes, word_keys


class Org(Record, frozen=True, kw_only=True):
    """An organization; it owns itself. ``mail_link_hosts`` are allowed in emailed links; empty for any (HH-06).

    ``former_domains`` are canonical: resources there stay reserved for it until another organization verifies one.
    """

    name: str
    primary_domain: str
    login_rules: LoginRules = LoginRules()
    mail_link_hosts: tuple[str, ...] = ()
    policies: Policies = Policies()
    domains: tuple[Domain, ...] = ()
    former_domains: tuple[str, ...] = ()

    def has_verified(self, domain: str) -> bool:
        """Reports whether the organization has verified a domain, in any spelling."""
        key = domain_key(domain)
        return any(one.verified and canonical(one.name) == key for one in self.domains)


def default_domain(name: str, id: str, issuer: str) -> str:
    """Derives the default primary domain: a label for the name under the issuer's host."""
    return f"{slug(name) or slug(id) or 'org'}.{urlsplit(issuer).hostname}"


INVALID_HOST = ErrorCode(
    "USER-409", Kind.INVALID_REQUEST, "Invalid host name.", "Use lower case, without scheme, port and path."
)

ORG_NOT_FOUND = ErrorCode("USER-314", Kind.NOT_FOUND, "Organization not found.", "Check the id of the organization.")


def problems_of(org: Org) -> Problems:
    """Everything wrong with it, by the members of the document."""
    if not is_name(org.name):
        yield Problem("name", INVALID_NAME)
    if not is_domain(org.primary_domain):
        yield Problem("primaryDomain", INVALID_DOMAIN)
    for number, host in enumerate(org.mail_link_hosts):
        if not is_domain(host):
            yield Problem(f"mailLinkHosts[{number}]", INVALID_HOST)
    yield from login_rules.problems_of(org.login_rules)
    yield from policies.problems_of(org.policies)


def domain_keys(org: Org) -> list[str]:
    """Returns the domains that no other organization can have: the primary one, and the verified ones."""
    return [canonical(org.primary_domain), *(canonical(domain.name) for domain in org.domains if domain.verified)]


def _keys(org: Org) -> Document:
    domains = domain_keys(org)
    names = (org.name, org.primary_domain, *(domain.name for domain in org.domains))
    words = word_keys(names, deleted=org.state is State.DELETED)
    former = {"formerDomainKeys": list(org.former_domains)} if org.former_domains else {}
    return {"nameKey": canonical(org.name), "domainKey": domains[0], "domainKeys": domains, **words, **former}


def keeping_former(before: Org, after: Org) -> Org:
    """Remembers the domains that the change removes."""
    kept = {*domain_keys(after)}
    former = dict.fromkeys((*before.former_domains, *domain_keys(before)))
    return msgspec.structs.replace(after, former_domains=tuple(one for one in former if one not in kept)[-MAX_DOMAINS:])


_LEANING: Final = (
    IndexModel(
        [("loginRules.forceMfa", ASCENDING), ("loginRules.secondFactors", ASCENDING)],
        partialFilterExpression={"loginRules.forceMfa": True},
    ),
    IndexModel([("loginRules.secondFactors", ASCENDING)], partialFilterExpression={"loginRules.secondFactors": []}),
    IndexModel([("loginRules.multiFactors", ASCENDING)], partialFilterExpression={"loginRules.multiFactors": []}),
    IndexModel([("loginRules.firstFactors", ASCENDING)], sparse=True),
    IndexModel(
        [("loginRules.redirectToProvider", ASCENDING)],
        partialFilterExpression={"loginRules.redirectToProvider": True},
    ),
)
"""For `login_constraints` and `first_factor_constraints`: organizations that require a factor, those without an allowed
one, and those with a rule for first factors. Most are in no index.
"""

ORGS: Final[Table[Org]] = Table(
    "orgs",
    Org,
    ORG_CHANGED,
    _keys,
    indexes=(
        IndexModel([("nameKey", ASCENDING)], unique=True),
        IndexModel([("nameKey", ASCENDING), ("_id", ASCENDING)]),
        IndexModel([("domainKey", ASCENDING)], unique=True),
        IndexModel([("domainKeys", ASCENDING)], unique=True, partialFilterExpression={"domainKeys": {"$exists": True}}),
        IndexModel([("formerDomainKeys", ASCENDING)], sparse=True),
        IndexModel([("state", ASCENDING), ("created", ASCENDING), ("_id", ASCENDING)]),
        IndexModel([("policies.clientMetadata.hosts", ASCENDING)], sparse=True),
        *_LEANING,
        *word_indexes(),
    ),
    duplicates={"domainKey": DOMAIN_TAKEN, "domainKeys": DOMAIN_TAKEN},
)


class MongoOrgs(Reader[Org]):
    table = ORGS

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._by_domain: Gathering[str, Org] = Gathering(self._read_domains)

    async def find_by_name(self, name: str) -> Org | None:
        return await self.find_where({"nameKey": canonical(name)})

    async def find_by_domain(self, domain: str) -> Org | None:
        """Matches primary and verified domains, in any spelling."""
        return await self._by_domain.find(domain_key(domain))

    async def any_redirects(self) -> bool:
        """Reports whether any organization leads login names to its provider."""
        return await self.find_where({"loginRules.redirectToProvider": True}) is not None

    async def list_with_domain(self, domains: Sequence[str]) -> list[Org]:
        """The organizations that have one of the domains, or had it."""
        names = {"$in": list(domains)}
        return await self.list_where({"$or": [{"domainKeys": names}, {"formerDomainKeys": names}]}, None)

    async def find_oldest(self) -> Org | None:
        found = await self.list_where({"state": State.ACTIVE.value}, 1, order=("created", "_id"))
        return found[0] if found else None

    async def _read_domains(self, keys: Sequence[str]) -> Mapping[str, Org]:
        return await self.map_where(("domainKey", "domainKeys"), keys)
