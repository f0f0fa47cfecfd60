"""Keys (WebAuthn): as a second factor, and passkeys instead of name and password."""

from __future__ import annotations

from portico_login_ui.methods.webauthn.login import Passkey, SecurityKey

__all__ = ["Passkey", "SecurityKey"]
