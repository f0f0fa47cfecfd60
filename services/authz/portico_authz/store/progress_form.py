"""The form in which progress is stored: flat, so that replicas of the release before read it and write it too."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import msgspec
from portico_contracts.step_names import StepName
from portico_contracts.users import ApiScope

from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.external import PendingIdentity, ProviderOrigin
from portico_authz.domain.login_session import LoginProof
from portico_authz.domain.progress import (
    AtDirectory,
    ChosenFactor,
    Consented,
    Enrolment,
    FactorChallenge,
    OwnPage,
    Progress,
    Registering,
    TrustChosen,
    UnderWay,
    UsingPasskey,
    VerifyingEmail,
)


class StoredProgress(msgspec.Struct, frozen=True, kw_only=True):
    chosen: str = ""
    other: bool = False
    returned: bool = False
    registering: bool = False
    login_name: str = ""
    org_id: str = ""
    user_id: str = ""
    amr: tuple[str, ...] = ()
    challenge: str = ""
    mail: str = ""
    second: bool = False
    step_up: str = ""
    passkey: bool = False
    factor: StepName | None = None
    asked: FactorChallenge | None = None
    shown: str = ""
    external: PendingIdentity | None = None
    external_factor: bool = False
    auth_time: int = 0
    unproven: int = 0
    directory: ProviderOrigin | None = None
    enrolment: Enrolment | None = None
    allowed: tuple[ApiScope, ...] = ()
    consented_by: str = ""
    device_bound: bool = False
    emailed: bool = False
    registered: bool = False
    proved_address: bool = False
    trust_by: StepName | None = None
    trust_epoch: int = 0
    first_at: float = 0.0
    second_at: float = 0.0
    login_session: str = ""
    epoch: int | None = None


_SHARED: Final = tuple(name for name in Progress.__slots__ if name in StoredProgress.__struct_fields__)
_shared_of: Final = attrgetter(*_SHARED)


_MEMBERS: Final[dict[type, Callable[[Any], dict[str, Any]]]] = {
    Registering: lambda _: {"registering": True},
    VerifyingEmail: lambda one: {"challenge": one.challenge, "mail": one.mail},
    AtDirectory: lambda one: {"directory": one.server},
    UsingPasskey: lambda _: {"passkey": True},
    ChosenFactor: lambda one: {"factor": one.step},
    Enrolment: lambda one: {"enrolment": one},
    Consented: lambda one: {"allowed": one.allowed, "consented_by": one.user_id},
}


def stored_form(progress: Progress) -> StoredProgress:
    values: dict[str, Any] = dict(zip(_SHARED, _shared_of(progress), strict=True))
    if trust := progress.trust:
        values |= {"trust_by": trust.step, "trust_epoch": trust.epoch}
    if own := progress.own_page:
        values |= {"login_session": own.login_session, "first_at": own.first_at, "second_at": own.second_at}
    if under_way := progress.under_way:
        values |= _MEMBERS[type(under_way)](under_way)
    return StoredProgress(**values)


def progress_in(stored: StoredProgress) -> Progress:
    values: dict[str, Any] = dict(zip(_SHARED, _shared_of(stored), strict=True))
    if stored.trust_by:
        values["trust"] = TrustChosen(stored.trust_by, stored.trust_epoch)
    if stored.login_session:
        values["own_page"] = OwnPage(stored.login_session, stored.first_at, stored.second_at)
    return Progress(**values, under_way=_under_way_in(stored))


def _under_way_in(stored: StoredProgress) -> UnderWay | None:
    found = (
        stored.enrolment,
        VerifyingEmail(stored.challenge, stored.mail) if stored.challenge else None,
        AtDirectory(stored.directory) if stored.directory else None,
        ChosenFactor(stored.factor) if stored.factor else None,
        Consented(stored.consented_by, stored.allowed) if stored.consented_by else None,
        UsingPasskey() if stored.passkey else None,
        Registering() if stored.registering else None,
    )
    return next(filter(None, found), None)


def encode_progress(progress: Progress) -> str:
    return msgspec.json.encode(stored_form(progress)).decode()


def decode_progress(text: str) -> Progress:
    return progress_in(msgspec.json.decode(text, type=StoredProgress))


class StoredProof(msgspec.Struct, frozen=True, omit_defaults=True):
    request_id: str
    trust_epoch: int
    progress: StoredProgress
    after_reset: bool = False


def stored_proof(proof: LoginProof) -> StoredProof:
    return StoredProof(proof.request_id, proof.trust_epoch, stored_form(proof.progress), proof.after_reset)


def proof_in(stored: StoredProof) -> LoginProof:
    return LoginProof(stored.request_id, stored.trust_epoch, progress_in(stored.progress), stored.after_reset)


class _WithProgress(msgspec.Struct):
    progress: StoredProgress = StoredProgress()


def encode_request(request: AuthRequest) -> str:
    """A request whose progress is in its stored form."""
    return msgspec.json.encode(msgspec.to_builtins(request) | {"progress": stored_form(request.progress)}).decode()


def progress_of_record(text: str) -> Progress:
    return progress_in(msgspec.json.decode(text, type=_WithProgress).progress)
