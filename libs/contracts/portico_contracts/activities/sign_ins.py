from __future__ import annotations

from functools import partial
from typing import Final

from portico_contracts.activities.activity import Activity

REQUESTS: Final = "requests"
SIGN_INS: Final = "signIns"
PROVIDER_SIGN_INS: Final = "idpSignIns"
IMPERSONATIONS: Final = "impersonations"
ASSERTIONS: Final = "assertions"
AGENTS: Final = "agents"

SIGNED_IN: Final = "signed_in"
SIGNED_OUT: Final = "signed_out"
SIGN_IN_FAILED: Final = "signin_failed"
DEVICE_APPROVED: Final = "device_approved"
DEVICE_DENIED: Final = "device_denied"
TRUST_STARTED: Final = "trust_started"
TRUST_ENDED: Final = "trust_ended"
REFUSED: Final = "refused"
IMPERSONATED: Final = "impersonated"
ASSERTED: Final = "asserted"
ENDED: Final = "ended"
PASSWORD_REFUSED: Final = "password_refused"
RULE_EXEMPTED: Final = "rule_exempted"
SIGNED_IN_BY_WORKLOAD: Final = "signed_in_by_workload"
"""Unlike assertions, the token of a workload may be used again until it expires."""

_sign_in = partial(Activity, SIGN_INS)

OF_SIGN_INS: Final = (
    _sign_in("signedIn", "%(user)s signed in to %(application)s", action=SIGNED_IN, changed="appId"),
    _sign_in("signedInOnly", "%(user)s signed in", action=SIGNED_IN),
    _sign_in("signedOutBy", "%(actor)s ended a session of %(user)s", action=SIGNED_OUT, changed="endedBy"),
    _sign_in("signedOut", "A session of %(user)s ended", action=SIGNED_OUT),
    _sign_in("failed", "A sign-in of %(user)s to %(application)s failed", action=SIGN_IN_FAILED, changed="userId"),
    _sign_in("failedUnknown", "A sign-in to %(application)s failed", action=SIGN_IN_FAILED, changed="appId"),
    _sign_in("failedOnly", "A sign-in failed", action=SIGN_IN_FAILED),
    _sign_in("deviceApproved", "%(user)s approved a sign-in to %(application)s on a device", action=DEVICE_APPROVED),
    _sign_in(
        "deviceDenied",
        "%(user)s denied a sign-in to %(application)s on a device",
        action=DEVICE_DENIED,
        changed="userId",
    ),
    _sign_in("deviceDeniedUnknown", "A sign-in to %(application)s on a device was denied", action=DEVICE_DENIED),
    _sign_in("trustStarted", "%(user)s trusts a browser: no second factor is requested in it", action=TRUST_STARTED),
    _sign_in("trustEnded", "The trust of %(user)s in a browser ended", action=TRUST_ENDED),
    _sign_in("passwordRefused", "A breached password of %(user)s was refused", action=PASSWORD_REFUSED),
    _sign_in(
        "placeExempted",
        "%(user)s signed in from a refused place as an instance owner, whom the sign-in rules exempt",
        action=RULE_EXEMPTED,
        changed="rule",
    ),
    _sign_in(
        "ruleExempted",
        "%(user)s used a password as an instance owner, whom the sign-in rules exempt",
        action=RULE_EXEMPTED,
    ),
    _sign_in(
        "workload",
        "%(user)s signed in with a token of a trusted workload, which can be used again until it expires",
        action=SIGNED_IN_BY_WORKLOAD,
        changed="userId",
    ),
    _sign_in(
        "workloadApplication",
        "%(application)s authenticated with a token of a trusted workload, which can be used again until it expires",
        action=SIGNED_IN_BY_WORKLOAD,
    ),
    Activity(PROVIDER_SIGN_INS, "failed", "A sign-in with %(provider)s failed", action=SIGN_IN_FAILED),
    Activity(
        IMPERSONATIONS,
        "impersonated",
        "%(actor)s got access to %(application)s as %(user)s",
        action=IMPERSONATED,
    ),
    Activity(
        ASSERTIONS,
        "asserted",
        "%(application)s got an assertion about %(user)s for the outside server %(server)s",
        action=ASSERTED,
    ),
    Activity(AGENTS, "ended", "%(actor)s ended what the agent %(application)s may do for %(user)s", action=ENDED),
    Activity(REQUESTS, "refused", "A request of %(application)s was refused", action=REFUSED, changed="appId"),
    Activity(REQUESTS, "refusedUser", "A request of %(user)s was refused", action=REFUSED),
)
