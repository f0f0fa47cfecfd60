"""authz's login API in memory: login name and password, with the checks of the contract.

`right` is the only password. Tests set problems, errors and clients on the object.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, cast

import httpx
from msgspec.structs import replace
from portico_contracts import login_calls as calls
from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.login import (
    Account,
    Accounts,
    Answer,
    GetAccounts,
    GetStep,
    PasskeyOffered,
    Problem,
    RequestPasskey,
    Step,
)
from portico_contracts.login_device import DeviceOpened, OpenDevice
from portico_contracts.login_external import (
    ExternalReturned,
    GetJwtHeader,
    JwtHeader,
    Parked,
    ReturnExternal,
)
from portico_contracts.login_steps import AnyAnswer, AnyStep
from portico_contracts.login_steps.login_name import LoginNameAnswer, LoginNameStep
from portico_contracts.login_wire import encode_returned, encode_step
from portico_contracts.step_names import StepName
from portico_contracts.subjects import Message, decode, encode
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_web.surfaces import Endpoint, render_errors, rpc_status
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_fakes.login_messages import moved

KEY: Final = "a-login-api-key-of-forty-characters-here"
REQUEST: Final = "7fNdrq5nQx0mPj1oZ3vT8wLk2sYb6uHc"
BROWSER: Final = "7fBrowserHandleOfThisOneBrowser00"
RIGHT: Final = "right"

UNKNOWN = ErrorCode("FAKE-001", Kind.NOT_FOUND, "There is no such sign-in.")
OTHER_BROWSER = ErrorCode("FAKE-002", Kind.PERMISSION_DENIED, "This sign-in was started in another browser.")
SPENT = ErrorCode("FAKE-003", Kind.PERMISSION_DENIED, "The form was sent already.")
NO_KEY = ErrorCode("FAKE-004", Kind.UNAUTHENTICATED, "The login API key is missing.")


_EXTERNAL: Final[tuple[calls.LoginCall[Any, Any], ...]] = (
    calls.RETURN_EXTERNAL,
    calls.PARK_EXTERNAL,
    calls.GET_JWT_HEADER,
    calls.PARK_JWT,
)


_ANY_ANSWER: Any = AnyAnswer


@dataclass(slots=True)
class FakeLoginApi:
    """One sign-in of one browser.

    Args:
        step: present step; tests may replace it.
        refusal: raised instead of any response.
        slow_down: a wrong password is answered with `Problem.SLOW_DOWN`.
        csrf_suffix: part of every form token.
        accounts: signed-in accounts of the browser.
        options: options of the offered passkey.
        asked: every received message.
        headers: headers of the last request.
        returned: callbacks of other identity providers.
        jwt_header: header that carries a JWT.
        opened: the answer to a device's code.
    """

    step: Step = field(
        default_factory=lambda: LoginNameStep(client_name="Demo", return_uri="https://app.example/callback")
    )
    continue_to: str = f"{AUTHORIZE_RESUME}?request={REQUEST}"
    set_cookie: str = ""
    error: ServiceError | None = None
    slow_down: bool = False
    csrf_suffix: str = ""
    accounts: tuple[Account, ...] = ()
    options: str = ""
    asked: list[GetStep | RequestPasskey | Answer] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    returned: list[Message] = field(default_factory=list)
    jwt_header: str = "x-gate-jwt"
    opened: DeviceOpened = field(default_factory=lambda: DeviceOpened(problem=Problem.WRONG_CODE))
    _csrf: int = 0

    @property
    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route(calls.ASK_ACCOUNTS.path, render_errors(self._tell_accounts, rpc_status), methods=["POST"]),
                Route(calls.OPEN_DEVICE.path, render_errors(self._open_device, rpc_status), methods=["POST"]),
                Route(calls.ASK_STEP.path, render_errors(self._ask, rpc_status), methods=["POST"]),
                Route(calls.OFFER_PASSKEY.path, render_errors(self._offer, rpc_status), methods=["POST"]),
                *(
                    Route(call.path, render_errors(self._external(call.request), rpc_status), methods=["POST"])
                    for call in _EXTERNAL
                ),
                Route(calls.ANSWER_STEP.path, render_errors(self._answer, rpc_status), methods=["POST"]),
            ]
        )

    def http(self) -> httpx.AsyncBaseTransport:
        """Returns a transport that sends every request to this API."""
        return httpx.ASGITransport(self.app)

    @property
    def answers(self) -> list[Any]:
        return [message for message in self.asked if isinstance(message, Answer)]

    async def _ask(self, request: Request) -> Response:
        message = decode(await request.body(), GetStep)
        self._admit(request, message)
        return self._say()

    async def _offer(self, request: Request) -> Response:
        self._admit(request, decode(await request.body(), RequestPasskey))
        return Response(encode(PasskeyOffered(options=self.options)), media_type="application/json")

    async def _answer(self, request: Request) -> Response:
        message: Answer = decode(await request.body(), _ANY_ANSWER)
        self._admit(request, message)
        if message.csrf != self._csrf_value():
            raise SPENT.error()
        self._csrf += 1
        self._move(message)
        response = self._say()
        self.step = replace(self.step, problem=Problem.NONE, set_cookie="")
        return response

    def _external(self, kind: type[Message]) -> Endpoint:
        async def take(request: Request) -> Response:
            message = decode(await request.body(), kind)
            if request.headers.get("authorization") != f"Bearer {KEY}":
                raise NO_KEY.error()
            self.returned.append(message)
            if self.error:
                raise self.error
            if isinstance(message, GetJwtHeader):
                return Response(encode(JwtHeader(name=self.jwt_header)), media_type="application/json")
            if not isinstance(message, ReturnExternal):
                return Response(encode(Parked(handle="7fHandle")), media_type="application/json")
            step = replace(self.step, csrf=self._csrf_value())
            returned = ExternalReturned(request_id=REQUEST, step=cast("AnyStep", step))
            return Response(encode_returned(returned), media_type="application/json")

        return take

    async def _open_device(self, request: Request) -> Response:
        if request.headers.get("authorization") != f"Bearer {KEY}":
            raise NO_KEY.error()
        self.returned.append(decode(await request.body(), OpenDevice))
        return Response(encode(self.opened), media_type="application/json")

    async def _tell_accounts(self, request: Request) -> Response:
        message = decode(await request.body(), GetAccounts)
        if request.headers.get("authorization") != f"Bearer {KEY}":
            raise NO_KEY.error()
        if self.error:
            raise self.error
        accounts = self.accounts if message.browser == BROWSER else ()
        return Response(encode(Accounts(accounts=accounts)), media_type="application/json")

    def _admit(self, request: Request, message: GetStep | RequestPasskey | Answer) -> None:
        self.headers = dict(request.headers)
        if request.headers.get("authorization") != f"Bearer {KEY}":
            raise NO_KEY.error()
        self.asked.append(message)
        if self.error:
            raise self.error
        if request.path_params["id"] != REQUEST:
            raise UNKNOWN.error()
        if message.browser != BROWSER:
            raise OTHER_BROWSER.error()

    def _move(self, answer: Answer) -> None:
        if answer.cancel:
            self.step = moved(self.step, StepName.DONE, continue_to=self.continue_to)
        elif answer.restart:
            self.step = moved(self.step, StepName.LOGIN_NAME, login_name="")
        elif isinstance(answer, LoginNameAnswer):
            self.step = moved(self.step, StepName.PASSWORD, login_name=answer.login_name)
        elif getattr(answer, "password", "") == RIGHT:
            self.step = moved(self.step, StepName.DONE, continue_to=self.continue_to, set_cookie=self.set_cookie)
        else:
            problem = Problem.SLOW_DOWN if self.slow_down else Problem.WRONG_CREDENTIALS
            self.step = replace(self.step, problem=problem)

    def _say(self) -> Response:
        step = replace(self.step, csrf=self._csrf_value())
        return Response(encode_step(step), media_type="application/json")

    def _csrf_value(self) -> str:
        return f"csrf-{self._csrf}{self.csrf_suffix}"
