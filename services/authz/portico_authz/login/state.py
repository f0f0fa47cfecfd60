from __future__ import annotations

from dataclasses import dataclass, field, replace

from portico_contracts.login import Problem, StepName

from portico_authz.authorize.decide import Choice
from portico_authz.context import Context
from portico_authz.domain.auth_request import UNTOUCHED, AuthRequest, Progress
from portico_authz.domain.browser import Browser, HandleRotation
from portico_authz.domain.submission import Submission


@dataclass(frozen=True, slots=True)
class Login:
    """A login in progress.

    Attributes:
        handle: the browser's handle as presented; in a retry the handle that replaced it.
        step: the open step; `StepName.DONE` for none.
        accounts: the sessions that the end user may select.
        is_completable: every step is answered, but the session has not started.
        csrf: the CSRF value of the next form; empty before one is shown.
        submission: the accepted form; None where none was submitted.
        is_retry: the presented handle was replaced seconds ago, by a response that this browser may not have
            received. The only permitted operation is to authenticate the same way again: by the password, or by
            the same factor.
    """

    request: AuthRequest
    browser: Browser
    handle: str
    ctx: Context
    step: StepName
    accounts: tuple[Choice, ...] = ()
    is_completable: bool = False
    csrf: str = ""
    submission: Submission | None = None
    is_retry: bool = False

    @property
    def accepted(self) -> Submission:
        """Raises LookupError: no form was submitted."""
        if self.submission is None:
            raise LookupError("no form was submitted")
        return self.submission

    @property
    def restarted(self) -> Progress:
        """The progress without answers; a provider named by the scope is not opened again automatically."""
        return Progress(other=True) if self.ctx.provider else UNTOUCHED

    @property
    def progress(self) -> Progress:
        return self.request.progress

    def rotation(self, browser: Browser, progress: Progress, signed_in: str = "") -> HandleRotation:
        return HandleRotation(
            old=self.handle,
            new=self.accepted.next_handle(self.handle),
            browser=browser,
            request_id=self.request.id,
            progress=progress,
            submission=self.accepted,
            signed_in=signed_in,
        )

    def at(self, step: StepName, progress: Progress) -> Login:
        return replace(self, step=step, request=replace(self.request, progress=progress))


@dataclass(frozen=True, slots=True)
class EnrolmentShown:
    """Data of an enrolment page; requested from users for each page and not stored.

    `uri` and `secret` are for an authenticator app; `recovery_codes` are shown once; `registrations` are the
    steps that register a factor.
    """

    uri: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)
    recovery_codes: tuple[str, ...] = field(default=(), repr=False)
    registrations: tuple[StepName, ...] = ()


@dataclass(frozen=True, slots=True)
class Transition:
    """The login after an answer, from which `build_step` builds the page.

    Attributes:
        problem, retry_after, detail: why the step is still open, as in `Step`.
        login_name: replaces the login name of the page; empty for the stored one.
        handle: the browser's handle, where a retry restores it.
        rotation: takes effect with the page; None where nothing was authenticated.
        user_id: the authenticated user, with a ``rotation``.
        starts_session: the rotation publishes a new session.
        leave_to: the URL of another identity provider; empty for none.
        shown: data of an enrolment page; None for every other.
    """

    login: Login
    problem: Problem = Problem.NONE
    retry_after: int = 0
    detail: str = ""
    login_name: str = ""
    handle: str = ""
    rotation: HandleRotation | None = None
    user_id: str = ""
    starts_session: bool = False
    leave_to: str = ""
    shown: EnrolmentShown | None = None
