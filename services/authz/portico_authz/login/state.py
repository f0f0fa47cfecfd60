"""Values of the login state machine: an open login, and the transition an answer causes."""

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
        handle: the browser's handle as the caller presented it; in a retry the handle that replaced it.
        step: the open step; `StepName.DONE` when none is.
        accounts: the sessions the end user may choose from.
        is_completable: every step is answered, but the session has not started.
        csrf: the CSRF value of the next form; empty before one is shown.
        submission: the accepted form; None where none was submitted.
        is_retry: the presented handle was replaced seconds ago, by an answer this browser may not have received. The
            only permitted operation is to authenticate the same way again: by the password, or by the same factor.
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
        """The accepted form.

        Raises:
            LookupError: where no form was submitted.
        """
        if self.submission is None:
            raise LookupError("no form was submitted")
        return self.submission

    @property
    def restarted(self) -> Progress:
        """The progress without an answer; a provider the scope names is not visited again by itself."""
        return Progress(other=True) if self.ctx.provider else UNTOUCHED

    @property
    def progress(self) -> Progress:
        """The answers so far."""
        return self.request.progress

    def rotation(self, browser: Browser, progress: Progress, signed_in: str = "") -> HandleRotation:
        """The rotation of the browser's handle, with the state of the request that is stored with it."""
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
        """The login with this step open after an answer."""
        return replace(self, step=step, request=replace(self.request, progress=progress))


@dataclass(frozen=True, slots=True)
class EnrolmentShown:
    """What the page of an enrolment shows; asked of users for each page, and stored nowhere here.

    Attributes:
        uri, secret: of an authenticator app.
        recovery_codes: of the user, to be shown once.
        registrations: the steps that register a factor.
    """

    uri: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)
    recovery_codes: tuple[str, ...] = field(default=(), repr=False)
    registrations: tuple[StepName, ...] = ()


@dataclass(frozen=True, slots=True)
class Transition:
    """The login after an answer, from which `build_step` makes the page.

    Attributes:
        problem, retry_after, detail: why the step is open still, as in `Step`.
        login_name: replaces the login name of the page; empty for the stored one.
        handle: the browser's handle, where a retry restores it.
        rotation: takes effect with the page; None where nothing was authenticated.
        user_id: of the user who authenticated, with a ``rotation``.
        starts_session: the rotation publishes a new session.
        leave_to: the address of another identity provider to send the browser to; empty for none.
        shown: what the page of an enrolment shows; None for every other.
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
