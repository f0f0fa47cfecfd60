from __future__ import annotations

from functools import partial

from portico_contracts.authz import (
    BEGIN_DEVICE,
    END_SESSIONS,
    END_TRUSTED_DEVICE,
    FIND_COUNTRY,
    LIST_SESSIONS,
    LIST_TRUSTED_DEVICES,
    PUSH_REQUEST,
    REDEEM_CODE,
    REDEEM_DEVICE,
)
from portico_contracts.login_sessions import (
    CHECK_LOGIN,
    END_LOGIN,
    FIND_LOGIN_SESSIONS,
    FINISH_LOGIN,
    GET_LOGIN_REQUEST,
)
from portico_runtime.bus.bus import Bus

from portico_authz.authorize.device.begin import begin_device
from portico_authz.authorize.device.redeem import redeem_device
from portico_authz.authorize.push import push_request
from portico_authz.codes.redeem_code import redeem_code
from portico_authz.dependencies import Dependencies
from portico_authz.login_sessions.check_login import check_login
from portico_authz.login_sessions.finish_login import finish_login, get_login_request
from portico_authz.login_sessions.found import end_login, find_login_sessions
from portico_authz.session.end_sessions import end_sessions_of, list_states
from portico_authz.session.places import find_country
from portico_authz.session.trusted_devices import end_device, list_devices


def register_rpc_handlers(bus: Bus, deps: Dependencies) -> None:
    bus.respond(REDEEM_CODE, partial(redeem_code, deps))
    bus.respond(PUSH_REQUEST, partial(push_request, deps))
    bus.respond(BEGIN_DEVICE, partial(begin_device, deps))
    bus.respond(REDEEM_DEVICE, partial(redeem_device, deps))
    bus.respond(LIST_SESSIONS, partial(list_states, deps))
    bus.respond(END_SESSIONS, partial(end_sessions_of, deps))
    bus.respond(LIST_TRUSTED_DEVICES, partial(list_devices, deps))
    bus.respond(END_TRUSTED_DEVICE, partial(end_device, deps))
    bus.respond(FIND_COUNTRY, partial(find_country, deps))
    bus.respond(CHECK_LOGIN, partial(check_login, deps))
    bus.respond(FIND_LOGIN_SESSIONS, partial(find_login_sessions, deps))
    bus.respond(END_LOGIN, partial(end_login, deps))
    bus.respond(GET_LOGIN_REQUEST, partial(get_login_request, deps))
    bus.respond(FINISH_LOGIN, partial(finish_login, deps))
