"""Everything the management API does with credentials but passwords."""

from __future__ import annotations

from dataclasses import dataclass

from portico_users.credentials.otp_email.otp_email import OtpEmail
from portico_users.credentials.recovery_codes.recovery_codes import RecoveryCodes
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.credentials.webauthn.registration import KeyRegistration
from portico_users.credentials.webauthn.registration_links import PasskeyLinks


@dataclass(frozen=True, slots=True)
class Credentials:
    """What changes them."""

    keys: KeyRegistration
    links: PasskeyLinks
    totp_authenticators: TotpAuthenticators
    recovery_codes: RecoveryCodes
    mail: OtpEmail
