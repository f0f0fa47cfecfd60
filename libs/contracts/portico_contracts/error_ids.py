"""Ids of errors that a part other than their owner distinguishes. The owner declares the error."""

from __future__ import annotations

from typing import Final

CODE_INVALID: Final = "AUTHZ-040"
CODE_VERIFIER_MISSING: Final = "AUTHZ-041"

USER_NAME_TAKEN: Final = "USER-011"
SEARCH_INCOMPLETE: Final = "USER-015"
BODY_UNREADABLE: Final = "USER-300"
NO_TEXT_MESSAGES: Final = "USER-404"
NEEDS_RECENT_SIGN_IN: Final = "USER-731"
