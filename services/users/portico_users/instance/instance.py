"""The settings of the instance: the record, what it must be like, and where MongoDB stores it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from portico_contracts.events import INSTANCE_CHANGED
from portico_contracts.users import TokenLifetimes as SentLifetimes
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.redirect_uris import may_register

from portico_users.policies.login_rules import LoginRules
from portico_users.policies.policies import Policies
from portico_users.policies.token_lifetimes import TokenLifetimes
from portico_users.storage.entry import Table
from portico_users.storage.reader import Reader
from portico_users.values.names import INSTANCE
from portico_users.values.problems import CHANGED_MEANWHILE, Problem, Problems
from portico_users.values.records import Record


class Instance(Record, frozen=True, kw_only=True):
    """The settings of the instance; a singleton.

    Attributes:
        token_lifetimes: None for the operator's settings.
        default_org_id: organization of users who register without naming one; empty for the oldest.
        intent_urls: allowed redirect addresses of intents, compared exactly (decision 0051).
        allows_impersonation: administrators with the permission may act for users (decision 0096).
    """

    login_rules: LoginRules = LoginRules()
    policies: Policies = Policies()
    token_lifetimes: TokenLifetimes | None = None
    default_org_id: str = ""
    intent_urls: tuple[str, ...] = ()
    allows_impersonation: bool = False


UNSET = Instance(id=INSTANCE, org_id=INSTANCE)


INSTANCES: Final[Table[Instance]] = Table(
    "instances", Instance, INSTANCE_CHANGED, duplicates={"_id": CHANGED_MEANWHILE}
)


class MongoInstance(Reader[Instance]):
    table = INSTANCES

    async def find_settings(self) -> Instance | None:
        return await self.find(INSTANCE)

    async def find_token_lifetimes(self) -> SentLifetimes | None:
        """The token lifetimes, as token receives them with their client or user; None where the instance has none."""
        instance = await self.find_settings()
        lifetimes = instance.token_lifetimes if instance else None
        if lifetimes is None:
            return None
        return SentLifetimes(
            access_token_seconds=lifetimes.access_token,
            id_token_seconds=lifetimes.id_token,
            refresh_idle_seconds=lifetimes.refresh_idle,
            refresh_seconds=lifetimes.refresh,
        )


MOST_URLS: Final = 100

INVALID_INTENT_URL = ErrorCode(
    "USER-984",
    Kind.INVALID_REQUEST,
    "This address cannot be used for intents.",
    "Use at most 100 different addresses with https, or http on a loopback host, without query and fragment.",
)


def problems_of_intent_urls(urls: Sequence[str], place: str) -> Problems:
    """Allows no query: an appended parameter can neither repeat nor follow one of the address."""
    for number, url in enumerate(urls):
        if not _is_valid(url) or url in urls[:number] or number >= MOST_URLS:
            yield Problem(f"{place}[{number}]", INVALID_INTENT_URL)


def _is_valid(url: str) -> bool:
    return url.startswith(("https://", "http://")) and "?" not in url and may_register(url)
