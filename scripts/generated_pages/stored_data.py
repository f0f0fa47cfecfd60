"""What each MongoDB collection and each Redis key holds, and for how many seconds: settings and constants of the code."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_authz.authorize.checks.check_pushed_request import PUSHED_SECONDS
from portico_authz.authorize.device.open import TRIES_SECONDS
from portico_authz.authorize.posted import POSTED_SECONDS
from portico_authz.domain.device import EXPIRES_IN as DEVICE_SECONDS
from portico_authz.domain.ended_session import RETENTION_SECONDS
from portico_authz.domain.external import FLOW_SECONDS, PARKED_SECONDS
from portico_authz.domain.login_session import PROOF_SECONDS
from portico_authz.domain.trusted_device import DAY_SECONDS, MOST_DAYS
from portico_authz.settings import AuthzSettings
from portico_authz.store.redis_codes import MARK_SECONDS as CODE_MARK_SECONDS
from portico_authz.store.redis_devices import REMEMBERED
from portico_console.sessions.store import FORM_SECONDS, SHOWN_SECONDS
from portico_console.settings import Settings as ConsoleSettings
from portico_contracts.diagnostics import TRACE_SECONDS
from portico_runtime.versioned_cache.versions import KEPT_SECONDS as VERSION_SECONDS
from portico_token.assertions.claims import LONGEST
from portico_token.settings import Settings as TokenSettings
from portico_token.store.redis_grants import MARK_SECONDS as GRANT_MARK_SECONDS
from portico_users.applications.client_keys.secret_uses import KEPT as SECRET_USE_KEPT
from portico_users.applications.metadata_documents.fetched_documents import FORGET_SECONDS
from portico_users.audit.sign_ins.daily_counts import KEPT_DAYS as COUNT_DAYS
from portico_users.credentials.attempts.backoff import FORGET_AFTER
from portico_users.credentials.email_code_sign_in import SECONDS as EMAIL_CODE_SECONDS
from portico_users.credentials.enrolments import SECONDS as ENROLMENT_SECONDS
from portico_users.credentials.revocations import REPEAT_SECONDS
from portico_users.credentials.sign_in_codes import SECONDS as OTP_SECONDS
from portico_users.credentials.totp.authenticators import SECONDS as TOTP_SECONDS
from portico_users.credentials.webauthn.ceremonies import SECONDS as CEREMONY_SECONDS
from portico_users.credentials.webauthn.registration_links import SECONDS as PASSKEY_LINK_SECONDS
from portico_users.end_users.codes.challenge import INVITE_SECONDS
from portico_users.end_users.codes.challenge import SECONDS as CODE_SECONDS
from portico_users.first_run.first_run_links import SECONDS as FIRST_RUN_SECONDS
from portico_users.identity_providers.federation.intents import SECONDS as INTENT_SECONDS
from portico_users.identity_providers.federation.last_tests import SECONDS as LAST_TEST_SECONDS
from portico_users.lazy_migration.migration_claims import UNKNOWN_SECONDS
from portico_users.notifications.email.queue import KEPT_SECONDS as EMAIL_SECONDS
from portico_users.notifications.notices.notice_links import SECONDS as NOTICE_SECONDS
from portico_users.notifications.senders.allowance import COUNT_SECONDS
from portico_users.sessions.agent_uses import KEPT as AGENT_USE_KEPT
from portico_users.webhooks.deliveries import KEPT_SECONDS as DELIVERY_SECONDS
from portico_users.webhooks.webhook import GIVE_UP_SECONDS

AUTHZ: Final = AuthzSettings.model_fields
TOKEN: Final = TokenSettings.model_fields
CONSOLE: Final = ConsoleSettings.model_fields


class StoredData(NamedTuple):
    """A collection or a kind of key.

    Attributes:
        holds: what of a person is in it, in words for a privacy notice.
        seconds: how long at most; 0 where `until` states when it is deleted.
        until: what ends it.
    """

    holds: str
    seconds: float = 0
    until: str = ""


PERSON: Final = "the user is deleted"
OBJECT: Final = "the object is deleted"
FOR_GOOD: Final = "no limit"

USERS: Final[dict[str, StoredData]] = {
    "users": StoredData(
        "People and service users: the fields below. Of a deleted user the id and times remain.", until=PERSON
    ),
    "passwords": StoredData("Hash of the password (argon2id, or the imported one).", until=PERSON),
    "webauthnKeys": StoredData("Public keys, names and counters of passkeys and security keys.", until=PERSON),
    "totpSecrets": StoredData("Secret of the authenticator app, encrypted.", until=PERSON),
    "recoveryCodes": StoredData("Hashes of recovery codes.", until=PERSON),
    "secretUses": StoredData(
        "Time at which a client secret, or a token of a trusted workload, was last used, to within an hour.",
        SECRET_USE_KEPT.total_seconds(),
    ),
    "agentUses": StoredData(
        "For which user, APIs and scope an agent last got tokens, to within an hour.", AGENT_USE_KEPT.total_seconds()
    ),
    "lastSignIns": StoredData("Time of the last sign-in, with the organization.", until=PERSON),
    "members": StoredData("Administrative roles of a user.", until=PERSON),
    "events": StoredData(
        "The event log: who changed what and when, with the old and new values but no secrets; also of deleted users. "
        "Sign-ins and refused requests: user, application, methods, kind of browser, country if configured, for 90 days.",
        until=FOR_GOOD,
    ),
    "dailyCounts": StoredData(
        "Sign-ins, failed sign-ins and refusals of each organization and day, as numbers. Nothing of a person.",
        COUNT_DAYS * 86_400.0,
    ),
    "ids": StoredData("Every id that was ever used, so that none is used again.", until=FOR_GOOD),
    "outbox": StoredData("Events that are not published yet.", until="until they are published"),
    "attempts": StoredData("Failed attempts, by the hash of a user id, login name or address.", FORGET_AFTER),
    "migrationClaims": StoredData(
        "Login names that an old system is asked about, or does not know, by their hash.", UNKNOWN_SECONDS
    ),
    "challenges": StoredData(
        "Hashes of emailed codes and links; links of invitations live longest.", max(CODE_SECONDS, INVITE_SECONDS)
    ),
    "factorMailCodes": StoredData("Hashes of codes sent as a second factor.", OTP_SECONDS),
    "factorTextCodes": StoredData("The same, sent as text messages.", OTP_SECONDS),
    "signInCodes": StoredData("Hashes of sign-in codes that replace a password.", EMAIL_CODE_SECONDS),
    "webauthnCeremonies": StoredData("Challenges of passkeys and security keys.", CEREMONY_SECONDS),
    "totpStarted": StoredData("Secret of an app that is being set up, encrypted.", TOTP_SECONDS),
    "passkeyLinks": StoredData("Hashes of links that register a passkey.", PASSKEY_LINK_SECONDS),
    "noticeLinks": StoredData("Hashes of links in notices about changed credentials.", NOTICE_SECONDS),
    "enrolments": StoredData("Enrolments of a second factor that are not finished.", ENROLMENT_SECONDS),
    "firstRunLinks": StoredData("Hashes of links that create the first administrator.", FIRST_RUN_SECONDS),
    "idpIntents": StoredData("Identity that a provider returned for an intent or a test sign-in.", INTENT_SECONDS),
    "idpTests": StoredData("Time, user and error of the last test sign-in of a provider.", LAST_TEST_SECONDS),
    "usedProviderTokens": StoredData(
        "Hashes of provider tokens that were used.", until="a day after the token has expired"
    ),
    "revocations": StoredData("User ids whose tokens are being revoked.", REPEAT_SECONDS, "after it is done"),
    "mails": StoredData(
        "Emails that wait, encrypted. A sent email is deleted at once; of one that failed, the cause is kept, with the user and a hash of the address.",
        EMAIL_SECONDS,
    ),
    "mailDelivery": StoredData(
        "When the mail server last accepted an email and last did not, and its last error, without addresses.",
        until="until it is replaced",
    ),
    "webhookDeliveries": StoredData(
        "Webhook messages, with ids and names of changed fields; retried first, then listed.",
        GIVE_UP_SECONDS + DELIVERY_SECONDS,
    ),
    "traces": StoredData(
        "Why requests were refused: ids, and addresses without their query. Of a refused token of a workload the names of its "
        "claims, and shortened values of those that name no person.",
        TRACE_SECONDS,
    ),
    "logos": StoredData("Logos of organizations.", until=OBJECT),
    "instances": StoredData("Settings of the installation.", until=OBJECT),
    "orgs": StoredData("Organizations, with their domains and policies.", until=OBJECT),
    "projects": StoredData("Projects and their roles.", until=OBJECT),
    "projectGrants": StoredData("Roles that an organization may give.", until=OBJECT),
    "groups": StoredData("Groups of users, with their roles.", until=OBJECT),
    "apps": StoredData("Applications; secrets as hashes.", until=OBJECT),
    "idps": StoredData("Identity providers; secrets encrypted.", until=OBJECT),
    "providerEndings": StoredData(
        "What a provider no longer gives, until it is written to all users.", until="a minute after that"
    ),
    "clientDocuments": StoredData(
        "Client-ID metadata documents, and when users last allowed something.", FORGET_SECONDS
    ),
    "scimConnections": StoredData("SCIM connections; secrets as hashes.", until=OBJECT),
    "scimTargets": StoredData("SCIM targets of applications; tokens encrypted.", until=OBJECT),
    "scimTargetUsers": StoredData(
        "Ids of the accounts that users have at SCIM targets, and why the last attempt failed.", until=OBJECT
    ),
    "scimTargetRuns": StoredData("The last dry run and comparison of a SCIM target, with ids of users.", until=OBJECT),
    "scimTargetQueues": StoredData("When a SCIM target is processed next, and by which replica.", until=OBJECT),
    "scimCalls": StoredData("When a SCIM connection was last called, and its last refused calls.", until=OBJECT),
    "outsideServers": StoredData("Outside authorization servers, and who gets assertions for them.", until=OBJECT),
    "webhooks": StoredData("Webhooks; secrets encrypted.", until=OBJECT),
    "senders": StoredData("Senders of text messages and emails; secrets and passwords encrypted.", until=OBJECT),
    "textCounts": StoredData("How many text messages an organization sent, by month and day.", COUNT_SECONDS),
    "webhookLanes": StoredData("Which replica delivers for which webhook.", until=OBJECT),
    "leases": StoredData("Which replica publishes events.", until=FOR_GOOD),
    "hashCounts": StoredData("How many passwords have which kind of hash.", until=FOR_GOOD),
    "hashMix": StoredData("The same, for timing.", until=FOR_GOOD),
    "meetings": StoredData("Locks of transactions.", until=FOR_GOOD),
    "redis_marks": StoredData("Counters that detect a Redis that was rolled back.", until=FOR_GOOD),
    "schema": StoredData("Version of the stored records.", until=FOR_GOOD),
}
"""By collection of the database of users."""

KEYS: Final[dict[str, StoredData]] = {
    "signing_keys": StoredData("Signing keys, encrypted. Nothing of a person.", until="their last token has expired"),
    "schema": StoredData("Version of the stored records.", until=FOR_GOOD),
}
"""By collection of the database of keys."""

_TRUST: Final = float(MOST_DAYS * DAY_SECONDS)
_SESSION: Final = float(AUTHZ["session_seconds"].default)
_IDLE: Final = float(AUTHZ["session_idle_seconds"].default)
_LOGIN: Final = float(AUTHZ["auth_request_seconds"].default)
_REFRESH: Final = float(TOKEN["refresh_seconds"].default)
_ACCESS: Final = float(TOKEN["access_token_seconds"].default)
_SKEW: Final = 60.0
_CONSOLE: Final = float(CONSOLE["console_session_seconds"].default)
_MARK: Final = StoredData("A counter of writes, to detect a Redis that was rolled back.", until=FOR_GOOD)
_LIMITS: Final = "Counters that limit how many records a client address or person has, by its hash."

REDIS: Final[dict[str, StoredData]] = {
    "authz browser": StoredData(
        "A browser, by the hash of its cookie: which sessions it has, and which users trust it.", _TRUST
    ),
    "authz trusted": StoredData(
        "Browsers that a user trusts: when that began, the kind of factor, kind of browser, country if configured.",
        _TRUST,
    ),
    "authz replaced": StoredData(
        "An earlier cookie of a trusted browser, by its hash, and the ids of its users.", _TRUST
    ),
    "authz session": StoredData(
        "A session: user id, login name, times, methods, kind of browser, country if configured; applications it was used in.",
        RETENTION_SECONDS,
        "after its end",
    ),
    "authz user": StoredData("Which sessions a user has.", _SESSION),
    "authz request": StoredData("A sign-in that is under way: parameters, login name, what was proven.", _LOGIN),
    "authz login": StoredData(
        "A sign-in on an own login page: user id, names, when which factor was verified, what the page's server added.",
        _SESSION,
    ),
    "authz proof": StoredData("Its result, until the browser has used it.", PROOF_SECONDS),
    "authz parked": StoredData("A posted authorization request.", POSTED_SECONDS),
    "authz pushed": StoredData("A pushed authorization request.", PUSHED_SECONDS),
    "authz pushed-by": StoredData("Which sign-in or browser answered it.", _LOGIN),
    "authz device": StoredData(
        "A device that waits for its user, with its IP address, then the hash of its used code.",
        DEVICE_SECONDS + REMEMBERED,
    ),
    "authz tries": StoredData("How many wrong codes of devices came from an IP address (hash).", TRIES_SECONDS),
    "authz external": StoredData("A sign-in at another identity provider.", FLOW_SECONDS),
    "authz returned": StoredData("What such a provider returned, until the page has loaded.", PARKED_SECONDS),
    "authz code": StoredData(
        "An authorization code, by its hash; that it was used is kept longest.", CODE_MARK_SECONDS
    ),
    "authz logout": StoredData("A sign-out that waits for confirmation.", _LOGIN),
    "authz due": StoredData("Applications that have to be notified of a sign-out.", RETENTION_SECONDS),
    "authz open": StoredData(_LIMITS, _SESSION),
    "authz open-sizes": StoredData(_LIMITS, _SESSION),
    "authz open-of": StoredData(_LIMITS, _SESSION),
    "authz mark": _MARK,
    "token grant": StoredData(
        "A grant: user id, client, scopes, times; hashes of its tokens. For an identity assertion, the id of the user at"
        " the identity provider.",
        _REFRESH,
    ),
    "token user": StoredData("Which grants a user has.", _REFRESH),
    "token session": StoredData("Which grants a session has.", _REFRESH),
    "token over": StoredData("That a session has ended.", GRANT_MARK_SECONDS),
    "token revoked_since": StoredData("When a user's tokens were revoked.", max(2 * _ACCESS, 86_400)),
    "token client_ended": StoredData("When a user ended the access of an application.", GRANT_MARK_SECONDS),
    "token denied": StoredData("That a JWT access token was revoked.", _ACCESS),
    "token assertion": StoredData("That a client assertion was used, by its hash.", LONGEST + _SKEW),
    "token epoch": StoredData("Since when stateless tokens count. Nothing of a person.", until=FOR_GOOD),
    "token seen": StoredData("The highest time of Redis's clock, to detect that it went back.", until=FOR_GOOD),
    "token mark": _MARK,
    "console console": StoredData("A session of the console, encrypted, with its tokens.", _CONSOLE),
    "console account": StoredData("A session of the account page, encrypted, with its tokens.", _CONSOLE),
    "console console-began-with": StoredData("Console sessions that end with a sign-in.", _CONSOLE),
    "console account-began-with": StoredData("Account sessions that end with a sign-in.", _CONSOLE),
    "console mark": _MARK,
    "console shown": StoredData("A secret until it is shown once, encrypted.", SHOWN_SECONDS),
    "console form": StoredData("A form, without secrets, while its user signs in again, encrypted.", FORM_SECONDS),
    "console open": StoredData(_LIMITS, FORM_SECONDS),
    "console open-sizes": StoredData(_LIMITS, FORM_SECONDS),
    "console open-of": StoredData(_LIMITS, FORM_SECONDS),
    "facts versions": StoredData("Versions of users, by the hash of their ids.", VERSION_SECONDS),
}
"""By the owner and the kind of key, as in ``owner:{bucket}:kind:…``, with the default settings."""
