"""What the management API needs of mailed codes; whoever mails them makes good on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from portico_users.humans.human import Human
from portico_users.journal.entry import Attachment


@dataclass(frozen=True, slots=True)
class CodeWish:
    """How an address is to be verified.

    Args:
        returned: the code goes to the caller and no mail is sent.
        url_template: the link in the mail; empty for the service's own page.
    """

    returned: bool = False
    url_template: str = ""


@dataclass(frozen=True, slots=True)
class PlannedCode:
    """A code that exists once its attachments are committed, together with the user.

    Args:
        code: to be returned; empty when it is mailed.
        attachments: the code as it is kept and, unless it is returned, the mail to be sent.
    """

    code: str = field(default="", repr=False)
    attachments: tuple[Attachment, ...] = ()


class MailCodes(Protocol):
    """Makes codes that prove who reads an address."""

    def plan(self, human: Human, wish: CodeWish) -> PlannedCode:
        """A code for the address the human has, replacing any earlier one.

        Raises:
            Refusal: for a template that may not be used (HH-06).
        """
        ...
