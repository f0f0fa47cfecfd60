"""authz's login API: one resource, the authorization request, and its next step. Spoken by the login pages.

``POST /login/v1/requests/{id}/step`` with `AskStep` answers `Step`; ``POST /login/v1/requests/{id}/answer``
with `Answer` answers the `Step` that follows. Both need ``Authorization: Bearer <login API key>``. Errors are
google.rpc.Status. The browser is named by the handle in its cookie: a request opened by another browser is
refused (P3, LG-11).
"""

from __future__ import annotations

from enum import StrEnum

from portico_contracts.subjects import Message, Secret


class StepName(StrEnum):
    """What the person is asked next; `DONE` sends the browser on."""

    LOGIN_NAME = "login_name"
    PASSWORD = "password"
    DONE = "done"


class Problem(StrEnum):
    """What was wrong with the last answer, to be shown beside the field."""

    NONE = ""
    WRONG_CREDENTIALS = "wrong_credentials"
    SLOW_DOWN = "slow_down"


class AskStep(Message, frozen=True):
    """Asks what to show.

    Attributes:
        browser: the handle from the browser's cookie.
    """

    browser: Secret


class Answer(Message, frozen=True):
    """What the person entered.

    Attributes:
        browser: the handle from the browser's cookie.
        csrf: the value the step was rendered with; each is good for one answer (LG-14).
        step: the step that is answered; when it is not the one asked for, nothing changes.
        cancel: go back to the application without signing in.
        restart: start over with another login name.
    """

    browser: Secret
    csrf: Secret
    step: StepName
    login_name: str = ""
    password: Secret = ""
    cancel: bool = False
    restart: bool = False


class Step(Message, frozen=True):
    """What to show next.

    Attributes:
        csrf: to be sent back with the answer.
        client_name: the application somebody signs in to.
        return_uri: the proven address the form may end at (CSP form-action).
        login_name: as typed or hinted, to be shown.
        retry_after: seconds to wait with `Problem.SLOW_DOWN`.
        continue_to: with `DONE`: path on this origin to send the browser to (303).
        set_cookie: a Set-Cookie value to hand to the browser; empty for none.
        ui_locales: language tags the application prefers, best first; none when it named none.
    """

    name: StepName
    csrf: Secret = ""
    client_name: str = ""
    return_uri: str = ""
    login_name: str = ""
    problem: Problem = Problem.NONE
    retry_after: int = 0
    continue_to: str = ""
    set_cookie: Secret = ""
    ui_locales: tuple[str, ...] = ()
