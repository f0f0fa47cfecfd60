"""Credentials: passwords and their hashes, authenticators, passkeys, recovery codes, attempts."""

from __future__ import annotations

from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database

from portico_users.credentials.attempts.attempts import Attempts, Lockout
from portico_users.credentials.enrolments import Enrolments
from portico_users.credentials.first_run_links import FirstRunLinks
from portico_users.credentials.passwords.hash_counts import HashCounts, HashReport
from portico_users.credentials.passwords.hash_mix import HashMix
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.passwords.verification import MongoPasswords, PasswordVerification
from portico_users.credentials.recovery_codes import RecoveryCodes
from portico_users.credentials.revocations import Revocations
from portico_users.credentials.sign_in_codes import SignInCodes
from portico_users.credentials.totp.authenticators import AuthenticatorSecrets, TotpAuthenticators
from portico_users.credentials.webauthn.ceremonies import Ceremonies
from portico_users.credentials.webauthn.options import RelyingParty
from portico_users.credentials.webauthn.registration_links import PasskeyLinks
from portico_users.credentials.webauthn.sign_in import WebAuthnSignIn
from portico_users.credentials.webauthn.stored_credentials import WebAuthnCredentials
from portico_users.wiring.parts import Parts


def add_credentials(parts: Parts) -> None:
    """Adds the room."""
    parts.offer(Attempts, Lockout, Revocations)
    parts.offer(HashingPool, HashCounts, HashReport, _hash_mix, MongoPasswords)
    parts.offer(PasswordSetting, PasswordVerification)
    parts.offer(RecoveryCodes, TotpAuthenticators, AuthenticatorSecrets, SignInCodes, Enrolments, FirstRunLinks)
    parts.offer(Ceremonies, WebAuthnCredentials, RelyingParty, WebAuthnSignIn, PasskeyLinks)


def _hash_mix(database: Database, counts: HashCounts, clock: Clock, random: RandomBytes, pool: HashingPool) -> HashMix:
    return HashMix(database, counts, clock, random, pool.own_kind)
