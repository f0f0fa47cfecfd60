"""Events for services that cache or react; they contain ids and names of changed fields, never values."""

from __future__ import annotations

from typing import Final

from portico_contracts.subjects import Consumer, Event, Message

STREAM: Final = "EVENTS"
"""The JetStream stream of all events."""


class Changed(Message, frozen=True):
    """An object changed.

    `event_id` is also the Nats-Msg-Id. `sequence` counts the object's events from 1, without gaps. `at` is in
    unix seconds. `actor` is a user id or ``system``. `action` is ``created``, ``updated`` or ``deleted``, or
    empty in events of older releases. `user_id`, `client_id` and `app_id` are of events that change no record.
    """

    event_id: str
    aggregate_id: str
    org_id: str
    sequence: int
    at: float
    actor: str
    fields: tuple[str, ...] = ()
    action: str = ""
    user_id: str = ""
    client_id: str = ""
    app_id: str = ""


class CreatedTogether(Message, frozen=True):
    """Several objects were created in one transaction; `changes` has the event of each, the first of its object.

    `event_id` is the Nats-Msg-Id; `at` is in unix seconds, and not later than any of the changes.
    """

    event_id: str
    at: float
    changes: tuple[Changed, ...]


class SessionEvent(Message, frozen=True):
    """A session started or ended.

    `client_id` is the application that ended it by id_token_hint, and `actor` who ended it instead of the user; both
    may be empty.
    """

    event_id: str
    session_id: str
    user_id: str
    at: float
    client_id: str = ""
    actor: str = ""


class LoginEvent(Message, frozen=True):
    """A sign-in succeeded or failed, one on a device was decided, or the trust in a browser started or ended.

    The user id is empty for an unknown user.

    `methods` are those of the amr claim, of a sign-in that succeeded; `device` is the kind of browser,
    `country` an ISO 3166-1 code, empty if unknown. `skipped_factor` is why no second
    factor was requested of a user who has one: ``trusted_device``, or empty. `failure` is a `SignInFailure` of a
    sign-in that failed, empty if unknown. `rule` is the network or country of the sign-in rules that refused it.
    """

    event_id: str
    user_id: str
    client_id: str
    at: float
    methods: tuple[str, ...] = ()
    device: str = ""
    country: str = ""
    skipped_factor: str = ""
    failure: str = ""
    rule: str = ""


class IdpSignInFailed(Message, frozen=True):
    """A sign-in through an identity provider failed; `org_id` is empty where the request names no organization."""

    event_id: str
    idp_id: str
    org_id: str
    error_id: str
    at: float


class PasswordRefused(Message, frozen=True):
    """A new password of a user is known from data breaches."""

    event_id: str
    user_id: str
    org_id: str
    error_id: str
    at: float


class RuleExempted(Message, frozen=True):
    """An instance owner used a password, or signs in from a place, that the sign-in rules forbid other users.

    A second factor may follow.
    """

    event_id: str
    user_id: str
    org_id: str
    at: float


class LoginImpersonated(Message, frozen=True):
    """A user got a token to act for another one through an application; both ids are of users."""

    event_id: str
    user_id: str
    actor_id: str
    client_id: str
    at: float


class TextLimitReached(Message, frozen=True):
    """An organization has sent as many text messages as its sender allows in a day or a month."""

    event_id: str
    org_id: str
    sender_id: str
    at: float


class GrantCompromised(Message, frozen=True):
    """A grant was compromised: a used code or refresh token was replayed."""

    event_id: str
    grant_id: str
    client_id: str
    user_id: str
    at: float


class KeyEvent(Message, frozen=True):
    """The state of a signing key changed."""

    event_id: str
    kid: str
    at: float


INSTANCE_CHANGED = Event("events.v1.instance.changed", Changed, "users")
ORG_CHANGED = Event("events.v1.org.changed", Changed, "users")
PROJECT_CHANGED = Event("events.v1.project.changed", Changed, "users")
PROJECT_GRANT_CHANGED = Event("events.v1.projectgrant.changed", Changed, "users")
APP_CHANGED = Event("events.v1.app.changed", Changed, "users")
USER_CHANGED = Event("events.v1.user.changed", Changed, "users")
AGENT_ENDED = Event("events.v1.agent.ended", Changed, "users")
USERS_CREATED = Event("events.v1.user.created_together", CreatedTogether, "users")
"""Of imports, in place of `USER_CHANGED` for each user."""

IDP_CHANGED = Event("events.v1.idp.changed", Changed, "users")
IDP_SIGN_IN_FAILED = Event("events.v1.idp.signin_failed", IdpSignInFailed, "users")
GROUP_CHANGED = Event("events.v1.group.changed", Changed, "users")
MEMBER_CHANGED = Event("events.v1.member.changed", Changed, "users")
WEBHOOK_CHANGED = Event("events.v1.webhook.changed", Changed, "users")
SCIM_CONNECTION_CHANGED = Event("events.v1.scimconnection.changed", Changed, "users")
SCIM_TARGET_CHANGED = Event("events.v1.scimtarget.changed", Changed, "users")
OUTSIDE_SERVER_CHANGED = Event("events.v1.outsideserver.changed", Changed, "users")
SENDER_CHANGED = Event("events.v1.sender.changed", Changed, "users")
TEXT_LIMIT = Event("events.v1.sender.limit_reached", TextLimitReached, "users")
SESSION_STARTED = Event("events.v1.session.started", SessionEvent, "authz")
SESSION_ENDED = Event("events.v1.session.ended", SessionEvent, "authz")
LOGIN_SUCCEEDED = Event("events.v1.login.succeeded", LoginEvent, "authz")
LOGIN_FAILED = Event("events.v1.login.failed", LoginEvent, "authz")
DEVICE_APPROVED = Event("events.v1.device.approved", LoginEvent, "authz")
TRUST_STARTED = Event("events.v1.trust.started", LoginEvent, "authz")
TRUST_ENDED = Event("events.v1.trust.ended", LoginEvent, "authz")
DEVICE_DENIED = Event("events.v1.device.denied", LoginEvent, "authz")
PASSWORD_REFUSED = Event("events.v1.user.password_refused", PasswordRefused, "users")
RULE_EXEMPTED = Event("events.v1.user.rule_exempted", RuleExempted, "users")
LOGIN_IMPERSONATED = Event("events.v1.login.impersonated", LoginImpersonated, "users")
GRANT_COMPROMISED = Event("events.v1.grant.compromised", GrantCompromised, "token")
KEY_PUBLISHED = Event("events.v1.key.published", KeyEvent, "keys")
KEY_ACTIVATED = Event("events.v1.key.activated", KeyEvent, "keys")
KEY_RETIRED = Event("events.v1.key.retired", KeyEvent, "keys")
KEY_REVOKED = Event("events.v1.key.revoked", KeyEvent, "keys")

WEBHOOKS = Consumer(
    "webhooks",
    "users",
    tuple(
        event
        for event in list(globals().values())
        if isinstance(event, Event) and event.body in (Changed, CreatedTogether)
    ),
)
"""All events of an organization are delivered to its webhooks."""

SIGN_IN_LOG = Consumer(
    "sign-ins",
    "users",
    (LOGIN_SUCCEEDED, LOGIN_FAILED, SESSION_ENDED, DEVICE_APPROVED, DEVICE_DENIED, TRUST_STARTED, TRUST_ENDED),
    batch=200,
)
"""Sign-ins for the event log; whatever else counts sign-ins belongs to the same consumer."""
