"""Test sign-ins with an identity provider: what it sends, and what Portico would do with it."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import idp_tests_pb2 as pb
from portico_contracts.users import VerifiedIdentity
from portico_web.languages import Language

from portico_users.administrators.permissions import Permission
from portico_users.identity_providers.commands.foreseen import Effect, Foreseen, ForeseeSignIn
from portico_users.identity_providers.commands.provider_tests import BeginTest, TakeTest
from portico_users.identity_providers.federation.last_tests import LastTests
from portico_users.identity_providers.federation.upstream import vouches_for_email
from portico_users.identity_providers.idp import Idp
from portico_users.management_api.protobuf.error_reasons import reason_of
from portico_users.management_api.transport.call import Call

_EFFECTS: Final = {
    Effect.SIGNS_IN: pb.PROVIDER_TEST_EFFECT_SIGNS_IN,
    Effect.PROVES: pb.PROVIDER_TEST_EFFECT_LINKS,
    Effect.CREATES: pb.PROVIDER_TEST_EFFECT_CREATES,
    Effect.ASKS: pb.PROVIDER_TEST_EFFECT_ASKS,
    Effect.NO_ACCOUNT: pb.PROVIDER_TEST_EFFECT_NO_ACCOUNT,
    Effect.REFUSED: pb.PROVIDER_TEST_EFFECT_REFUSED,
}


async def start_test(
    call: Call[Idp], request: pb.StartProviderTestRequest, *, begin: BeginTest
) -> pb.StartProviderTestResponse:
    idp, actor = call.target.subject, call.caller.user_id
    if request.HasField("ldap"):
        begun = await begin.by_password(idp, request.ldap.username, request.ldap.password, actor=actor)
    else:
        begun = await begin(idp, actor=actor)
    return pb.StartProviderTestResponse(test_id=begun.id, auth_url=begun.url, token=begun.token)


async def get_test(
    call: Call[Idp], request: pb.GetProviderTestRequest, *, take: TakeTest, foresee: ForeseeSignIn, tests: LastTests
) -> pb.GetProviderTestResponse:
    idp = call.target.subject
    outcome = await take(idp, request.test_id, request.token, actor=call.caller.user_id)
    response = pb.GetProviderTestResponse(
        claims=[
            pb.ProviderTestClaims(
                source=source,
                claims=[pb.ProviderTestClaims.Claim(name=name, value=value) for name, value in claims.items()],
            )
            for source, claims in outcome.claims.items()
        ]
    )
    if failure := outcome.failure:
        _explain(response, failure.id, call.language, instead=failure.text)
        response.error_cause, response.error_description = failure.cause, failure.description
        response.error_url = failure.url
    if identity := outcome.identity:
        response.user.CopyFrom(_user(idp, identity))
        _show_effect(call, response, await foresee(idp, "" if idp.of_instance else idp.org_id, identity))
    # A test that an earlier version of Portico concluded has no version, so its provider shows as changed.
    await tests.record(idp.id, actor=call.caller.user_id, version=outcome.version, error_id=response.error_id)
    return response


def _user(idp: Idp, identity: VerifiedIdentity) -> pb.ProviderTestUser:
    profile = identity.profile
    return pb.ProviderTestUser(
        external_id=identity.subject,
        user_name=profile.user_name or profile.email,
        first_name=profile.first_name,
        last_name=profile.last_name,
        display_name=profile.display_name,
        email=profile.email,
        email_verified=profile.email_verified,
        email_trusted=vouches_for_email(idp, profile),
        language=profile.language,
    )


def _show_effect(call: Call[Idp], response: pb.GetProviderTestResponse, foreseen: Foreseen) -> None:
    response.effect = _EFFECTS[foreseen.effect]
    response.missing.extend(foreseen.missing)
    account, refusal = foreseen.account, foreseen.refusal
    if account and call.caller.may(Permission.USER_READ, account.org.id):
        response.user_id, response.login_name = account.user.id, account.user.user_name
    if refusal:
        _explain(response, refusal.id, call.language, instead=refusal.text)


def _explain(response: pb.GetProviderTestResponse, error_id: str, language: Language, *, instead: str) -> None:
    reason = reason_of(error_id, language)
    response.error_id, response.error_text, response.error_fix = error_id, reason.text or instead, reason.fix
