from __future__ import annotations

from dataclasses import dataclass, field, replace

from portico_contracts.login import Problem
from portico_contracts.step_names import StepName

from portico_authz.authorize.decide import Choice
from portico_authz.checked_request import CheckedRequest
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser, HandleRotation
from portico_authz.domain.code import reference_of
from portico_authz.domain.progress import UNTOUCHED, Progress
from portico_authz.domain.session import Session
from portico_authz.domain.submission import RETRY_WINDOW_SECONDS, Submission
from portico_authz.event_publisher import SignInOrigin


@dataclass(frozen=True, slots=True)
class Login:
    """A login in progress.

    Attributes:
        consenting: the session whose user decides on consent.
        named: the user whom the page of the submitted form names (`named_user`); empty if it names none.
        is_completable: every step is answered, but the session has not started.
        csrf: the CSRF value of the next form; empty before one is shown.
        is_retry: the presented handle was replaced seconds ago, by a response that this browser may not have
            received. It permits only the same authentication again: by the password, or by the same factor.
        to_application: the pages can send the browser to the application with the response.
        starts_again: its first factor does not count any more, because the credentials were changed since.
    """

    request: AuthRequest
    browser: Browser
    handle: str
    ctx: CheckedRequest
    step: StepName
    accounts: tuple[Choice, ...] = ()
    is_completable: bool = False
    csrf: str = ""
    submission: Submission | None = None
    is_retry: bool = False
    consenting: Session | None = None
    named: str = ""
    to_application: bool = False
    starts_again: bool = False

    @property
    def origin(self) -> SignInOrigin:
        return SignInOrigin(self.ctx.client.client_id, self.request.device, self.request.country)

    @property
    def accepted(self) -> Submission:
        """Raises LookupError: no form was submitted."""
        if self.submission is None:
            raise LookupError("no form was submitted")
        return self.submission

    @property
    def any_organization(self) -> bool:
        """Reports whether users of every organization may sign in: only the request restricts them, not the
        application.
        """
        return not self.ctx.scope.org_id

    @property
    def restarted(self) -> Progress:
        """The progress without answers; a provider named by the scope is not opened again automatically."""
        if self.request.confirms:
            return replace(self.progress.only_name(), chosen=self.progress.chosen)
        return Progress(other=True) if self.ctx.scope.provider else UNTOUCHED

    @property
    def progress(self) -> Progress:
        return self.request.progress

    def rotation(self, browser: Browser, progress: Progress, signed_in: str = "", code: str = "") -> HandleRotation:
        return HandleRotation(
            old=self.handle,
            new=self.accepted.next_handle(self.handle),
            browser=browser,
            request_id=self.request.id,
            progress=progress,
            submission=self.accepted,
            signed_in=signed_in,
            answer=reference_of(code) if code else "",
            answer_seconds=RETRY_WINDOW_SECONDS,
            client_address=self.request.client_address,
        )

    def without_identity(self) -> Login:
        """The first page after a provider gave no usable identity; no session of another tab continues from there."""
        name = self.progress.only_name() if self.request.confirms else Progress()
        left = replace(name, other=True, returned=True)
        return replace(self.at(StepName.PASSWORD if left.login_name else StepName.LOGIN_NAME, left), consenting=None)

    def at(self, step: StepName, progress: Progress) -> Login:
        return replace(self, step=step, request=replace(self.request, progress=progress))


class Shown:
    """What the begin of a step requests from users for its page and does not store; each has its own."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Transition:
    """The login after an answer, from which `build_step` builds the page.

    Attributes:
        handle: the browser's handle, where a retry restores it.
        rotation: takes effect with the page; None where nothing was authenticated.
        starts_session: the rotation publishes a new session.
        methods: those of a sign-in that is complete, for its event.
        trusted: its second factor was not requested, because the user trusts this browser.
        code: the response to the application, if the rotation makes it that.
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
    methods: tuple[str, ...] = ()
    trusted: bool = False
    leave_to: str = ""
    shown: Shown | None = None
    code: str = field(default="", repr=False)
