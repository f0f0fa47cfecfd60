"""SCIM targets of applications, with their runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

import msgspec
from portico_contracts.generated.portico.management.v1 import scim_target_service_pb2 as pb
from portico_oauth.master_keys import UnsealingFailed

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.store import MongoApps
from portico_users.applications.targets import APP_NOT_FOUND
from portico_users.identity_providers.secrets import UNREADABLE_SECRET
from portico_users.management_api.protobuf.details import changed_details_of, details_of, timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list, page_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import own_or_named_org
from portico_users.organizations.org import MongoOrgs
from portico_users.scim_targets.client import AccountRefused, TargetFailed
from portico_users.scim_targets.commands import AddScimTarget, RunScimTarget, UpdateScimTarget
from portico_users.scim_targets.queues import TargetQueues
from portico_users.scim_targets.runs import Phase, Run, RunKind, Step, TargetRuns, TargetTest
from portico_users.scim_targets.sender import TargetSenderParts
from portico_users.scim_targets.target import TARGET_NOT_FOUND, Included, MongoScimTargets, ScimTarget, UserName
from portico_users.scim_targets.target_users import TargetUser, TargetUsers
from portico_users.storage.entry import NOT_DELETED, Document
from portico_users.values.names import MAX_LENGTH
from portico_users.values.records import State

_PEOPLE: Final = {
    pb.SCIM_TARGET_PEOPLE_ROLES: Included.ROLES,
    pb.SCIM_TARGET_PEOPLE_ORGANIZATION: Included.ORGANIZATION,
}
_USER_NAMES: Final = {
    pb.SCIM_TARGET_USER_NAME_LOGIN_NAME: UserName.LOGIN_NAME,
    pb.SCIM_TARGET_USER_NAME_ADDRESS: UserName.ADDRESS,
}
_STATES: Final = {State.ACTIVE: pb.SCIM_TARGET_STATE_ACTIVE, State.INACTIVE: pb.SCIM_TARGET_STATE_INACTIVE}
_LISTS: Final = {
    Step.CREATE: "created",
    Step.ADOPT: "adopted",
    Step.CHANGE: "changed",
    Step.DEACTIVATE: "deactivated",
    Step.DELETE: "deleted",
    Step.REFUSE: "refused",
}


class NamesApp(Protocol):
    @property
    def project_id(self) -> str: ...

    @property
    def app_id(self) -> str: ...


class NamesTarget(NamesApp, Protocol):
    @property
    def target_id(self) -> str: ...


async def own_app(context: RequestContext, request: NamesApp, *, orgs: MongoOrgs, apps: MongoApps) -> Target[str]:
    """Finds the application in the organization; those of other organizations count as unknown (MG-01, MG-04)."""
    org = await own_or_named_org(context, request, orgs=orgs)
    app = await apps.find(request.app_id[: MAX_LENGTH + 1])
    if app is None or app.state is State.DELETED or (app.org_id, app.project_id) != (org.org_id, request.project_id):
        raise APP_NOT_FOUND.error()
    return Target(org.org_id, app.id, APP_NOT_FOUND)


async def own_target(
    context: RequestContext, request: NamesTarget, *, orgs: MongoOrgs, targets: MongoScimTargets
) -> Target[ScimTarget]:
    """Finds the target of the application in the organization; others count as unknown (MG-01, MG-04)."""
    org = await own_or_named_org(context, request, orgs=orgs)
    target = await targets.find_there(request.target_id)
    place = (org.org_id, request.project_id, request.app_id)
    if target is None or (target.org_id, target.project_id, target.app_id) != place:
        raise TARGET_NOT_FOUND.error()
    return Target(org.org_id, target, TARGET_NOT_FOUND)


async def add_target(
    call: Call[str], request: pb.AddScimTargetRequest, *, add: AddScimTarget
) -> pb.AddScimTargetResponse:
    named = ScimTarget(
        id="", org_id=call.target.org_id, name="", project_id=request.project_id, app_id=call.target.subject, url=""
    )
    record = await add(with_values(named, request), request.token_secret, actor=call.caller.user_id)
    return pb.AddScimTargetResponse(id=record.id, details=changed_details_of(record))


def with_values(before: ScimTarget, request: pb.AddScimTargetRequest | pb.UpdateScimTargetRequest) -> ScimTarget:
    """Keeps what the request does not set."""
    values: Document = {
        name: getattr(request, name) for name in ("deletes_leavers", "adopts", "rate") if request.HasField(name)
    }
    if request.HasField("people"):
        values["people"] = _PEOPLE[request.people]
    if request.HasField("user_name"):
        values["user_name"] = _USER_NAMES[request.user_name]
    return msgspec.structs.replace(before, name=request.name, url=request.url, **values)


async def update_target(
    call: Call[ScimTarget], request: pb.UpdateScimTargetRequest, *, update: UpdateScimTarget
) -> pb.ChangeScimTargetResponse:
    before = call.target.subject
    record = await update(before, with_values(before, request), request.token_secret, actor=call.caller.user_id)
    return pb.ChangeScimTargetResponse(details=changed_details_of(record))


async def get_target(
    call: Call[ScimTarget],
    _request: pb.GetScimTargetRequest,
    *,
    people: TargetUsers,
    runs: TargetRuns,
    queues: TargetQueues,
    accounts: MongoAccounts,
) -> pb.GetScimTargetResponse:
    target = call.target.subject
    found, failed = await runs.find([target.id]), await people.list_failed(target.id)
    shown = {user for run in found.values() for users in run.users.values() for user in users}
    names = await accounts.find_names([*shown, *(one.user_id for one in failed)])
    failing = (await queues.find_failing((target.id,))).get(target.id)
    message = _message(target, failing)
    message.waiting_count = await people.count_waiting(target.id)
    message.failures.extend(_failure(one, names) for one in failed)
    for kind, place in ((RunKind.DRY, message.dry_run), (RunKind.COMPARISON, message.comparison)):
        if run := found.get((target.id, kind)):
            place.CopyFrom(_run(run, names))
    if test := await runs.find_test(target.id):
        message.last_test.CopyFrom(_test(test))
    return pb.GetScimTargetResponse(target=message)


async def list_targets(
    call: Call[str], request: pb.ListScimTargetsRequest, *, targets: MongoScimTargets, queues: TargetQueues
) -> pb.ListScimTargetsResponse:
    question: Document = {"$and": [{"appId": call.target.subject}, NOT_DELETED]}
    found = await targets.list_page(question, page_of(request.query, "nameKey"))
    failing = await queues.find_failing(one.id for one in found.records)
    result = [_message(one, failing.get(one.id)) for one in found.records]
    return pb.ListScimTargetsResponse(details=details_of_list(found.total), result=result)


async def check_target(
    call: Call[ScimTarget], _request: pb.TestScimTargetRequest, *, sending: TargetSenderParts
) -> pb.TestScimTargetResponse:
    target = call.target.subject
    test = TargetTest(target_id=target.id, at=sending.clock.now())
    try:
        await sending.client(target).test()
    except UnsealingFailed as error:
        raise UNREADABLE_SECRET.error(cause=str(error)) from error
    except (TargetFailed, AccountRefused) as error:
        test = msgspec.structs.replace(test, cause=error.cause, status=error.status)
    await sending.runs.note_test(test)
    return pb.TestScimTargetResponse(test=_test(test))


async def dry_run(
    call: Call[ScimTarget], _request: pb.DryRunScimTargetRequest, *, run: RunScimTarget
) -> pb.RunScimTargetResponse:
    await run(call.target.subject, RunKind.DRY)
    return pb.RunScimTargetResponse()


async def compare(
    call: Call[ScimTarget], _request: pb.CompareScimTargetRequest, *, run: RunScimTarget
) -> pb.RunScimTargetResponse:
    await run(call.target.subject, RunKind.COMPARISON)
    return pb.RunScimTargetResponse()


def _message(target: ScimTarget, failing_since: float | None) -> pb.ScimTarget:
    return pb.ScimTarget(
        id=target.id,
        details=details_of(target),
        name=target.name,
        state=_STATES[target.state],
        url=target.url,
        people=next(number for number, one in _PEOPLE.items() if one is target.people),
        user_name=next(number for number, one in _USER_NAMES.items() if one is target.user_name),
        deletes_leavers=target.deletes_leavers,
        adopts=target.adopts,
        rate=target.rate,
        failure=target.failure,
        failing_since=timestamp_of(failing_since) if failing_since else None,
        app_id=target.app_id,
    )


def _test(test: TargetTest) -> pb.ScimTargetTest:
    return pb.ScimTargetTest(
        date=timestamp_of(test.at), succeeded=not test.cause, http_status=test.status, cause=test.cause
    )


def _failure(one: TargetUser, names: Mapping[str, str]) -> pb.ScimTargetFailure:
    return pb.ScimTargetFailure(
        user_id=one.user_id,
        name=names.get(one.user_id, ""),
        date=timestamp_of(one.failed_at or 0.0),
        http_status=one.status,
        cause=one.cause,
        next_attempt=timestamp_of(one.due) if one.due is not None else None,
    )


def _run(run: Run, names: Mapping[str, str]) -> pb.ScimTargetRun:
    state = pb.SCIM_TARGET_RUN_STATE_RUNNING if run.started else pb.SCIM_TARGET_RUN_STATE_WAITING
    message = pb.ScimTargetRun(
        state=pb.SCIM_TARGET_RUN_STATE_ENDED if run.phase is Phase.DONE else state,
        start_date=timestamp_of(run.started) if run.started else None,
        end_date=timestamp_of(run.ended) if run.ended else None,
        cause=run.cause,
        unchanged_count=run.counts.get(Step.NONE, 0),
    )
    for step, place in _LISTS.items():
        setattr(message, f"{step}_count", run.counts.get(step, 0))
        getattr(message, place).extend(names.get(user, user) for user in run.users.get(step, ()))
    return message
