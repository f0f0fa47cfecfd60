from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_contracts.step_names import StepName
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus.bus import Bus
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import Wakeup
from portico_web.cookies import BrowserCookie
from portico_web.trusted_proxies import TrustedProxies

from portico_authz.checked_request import CheckSources
from portico_authz.countries import CountryDatabase
from portico_authz.domain.ports import Stores
from portico_authz.domain.session import Lifetimes
from portico_authz.event_publisher import EventPublisher
from portico_authz.steps import Requirement
from portico_authz.users_client import UsersClient


@dataclass(frozen=True, slots=True)
class Dependencies:
    """Stores, service clients and settings of one replica.

    `back_channel_wakeup` is set when sessions ended, so that the logout queue is processed at once.
    `confirm_logout`: a logout without a hint needs confirmation (IR-13). `bus` is for requests that change
    state; reads go through ``users_client``. `pushed_requests`: every application may push its requests.
    `own_login_url` is of own login pages, or empty.
    Passkeys work on pages of the issuer and of `passkey_hosts`. `requirements` are those of the login steps, in order.
    """

    issuer: str
    stores: Stores
    sources: CheckSources
    users_client: UsersClient
    bus: Bus
    clock: Clock
    random: RandomBytes
    lifetimes: Lifetimes
    cookie: BrowserCookie
    publisher: EventPublisher
    traces: DiagnosticsRecorder
    back_channel_wakeup: Wakeup
    proxies: TrustedProxies
    countries: CountryDatabase | None
    confirm_logout: bool = True
    pushed_requests: bool = False
    own_login_url: str = ""
    passkey_hosts: frozenset[str] = frozenset()
    requirements: Sequence[tuple[StepName, Requirement]] = ()
