"""The end of a sign-in, which has no page."""

from __future__ import annotations

from portico_contracts.login import Answer, Step
from portico_contracts.step_names import StepName


class DoneStep(Step, frozen=True, tag="done"):
    """The browser is redirected.

    Attributes:
        continue_to: path on this origin to navigate to, by a page instead of an HTTP redirect. After an answer with
            `Answer.to_application` it may be ``return_uri`` with the authorization response.
        leave_to: the URL of an identity provider instead.
    """

    name = StepName.DONE
    continue_to: str = ""
    leave_to: str = ""


class DoneAnswer(Answer, frozen=True, tag="done"):
    """To a sign-in that is complete; only `cancel` has an effect."""

    step = StepName.DONE
