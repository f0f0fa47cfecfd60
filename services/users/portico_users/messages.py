from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.diagnostics import FIND_TRACE, RECORD_TRACES
from portico_contracts.migrations import USERS_MIGRATE_BATCH, USERS_MIGRATIONS
from portico_contracts.users import (
    ACT_FOR_USER,
    AGENT_USED,
    APPLY,
    BEGIN_ASSERTION,
    BEGIN_EXTERNAL,
    BEGIN_PASSKEY_BY_INVITATION,
    BEGIN_PASSKEY_BY_LINK,
    BEGIN_RECOVERY,
    CALL_TOKEN_HOOK,
    CHANGE_PASSWORD,
    CHECK_EXEMPTION,
    CHECK_LINK,
    CHECK_ORIGIN,
    CHECK_PROJECT_ACCESS,
    CONFIRM_VERSIONS,
    CREATE_EXTERNAL,
    DESCRIBE_SCOPES,
    EXPORT,
    FIND_ASSERTED,
    FIND_ASSERTION_TRUSTS,
    FIND_INTENT,
    FIND_ORGANIZATION,
    FIND_USER,
    FINISH_ASSERTION,
    FINISH_EXTERNAL,
    FINISH_PASSKEY_BY_INVITATION,
    FINISH_PASSKEY_BY_LINK,
    GET_APIS,
    GET_AUDIENCES,
    GET_CLAIMS,
    GET_CLIENT,
    GET_CLIENT_BY_URL,
    GET_CONSENT,
    GET_GROUPS,
    GET_ISSUER_KEYS,
    GET_LOGIN_POLICY,
    GET_ROLES,
    GET_SERVICE_USER,
    GET_USED_GRANT_TYPES,
    GET_USER,
    GIVE_CONSENT,
    HASH_KINDS,
    IMPORT_USERS,
    LINK_EXTERNAL,
    REGISTER,
    REQUEST_ASSERTION,
    RETURN_INTENT,
    SECRET_USED,
    SEND_EMAIL_CODE,
    SEND_FACTOR_EMAIL,
    SEND_FACTOR_TEXT,
    SEND_PASSWORD_LINK,
    SET_PASSWORD_BY_CODE,
    SET_PASSWORD_BY_LINK,
    VERIFY_EMAIL,
    VERIFY_EMAIL_LINK,
    VERIFY_FACTOR_EMAIL,
    VERIFY_FACTOR_TEXT,
    VERIFY_LDAP,
    VERIFY_PASSWORD,
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    WORKLOAD_USED,
)
from portico_contracts.users.email_codes import SEND_SIGN_IN_CODE, VERIFY_SIGN_IN_CODE
from portico_contracts.users.enrolment import (
    BEGIN_ENROLLED_KEY,
    BEGIN_ENROLLED_TOTP,
    BEGIN_ENROLMENT,
    FINISH_ENROLMENT,
    GET_ENROLLED_CODES,
    VERIFY_ENROLMENT_CODE,
)
from portico_contracts.users.first_run import BEGIN_FIRST_RUN, CREATE_FIRST_RUN_LINK, FINISH_FIRST_RUN, GET_FIRST_RUN
from portico_contracts.users.listed_events import LIST_EVENTS
from portico_contracts.users.redis_watermarks import RECALL_MARKS, REMEMBER_MARKS
from portico_contracts.users.republishing import REPUBLISH_EVENTS
from portico_runtime.mongo.migrations import Migrations

from portico_users.accounts.queries import AccountQueries, AudienceQueries, ServiceUserQueries
from portico_users.applications.client_keys.secret_uses import SecretUses
from portico_users.applications.metadata_documents.metadata_clients import MetadataClients
from portico_users.applications.store import AppQueries
from portico_users.audit.api.operator_events import OperatorEvents
from portico_users.audit.sign_ins.refusals import RefusalLog
from portico_users.bus import Bus
from portico_users.credentials.commands.change_password import PasswordChange
from portico_users.credentials.commands.factor_codes import FactorCodes
from portico_users.credentials.email_code_sign_in import EmailCodeSignIn
from portico_users.credentials.enrolling import Enrolment
from portico_users.credentials.invited_passkeys import InvitedPasskeys
from portico_users.credentials.passkey_links import PasskeyByLink
from portico_users.credentials.passwords.hash_counts import HashReport
from portico_users.credentials.sign_in_codes import SignInCodes
from portico_users.credentials.text_codes import TextCodes
from portico_users.credentials.webauthn.sign_in import WebAuthnSignIn
from portico_users.diagnostics.store import DiagnosticExplanations
from portico_users.documents.applier import Applier
from portico_users.documents.exporter import Exporter
from portico_users.end_users.commands.check_link import CheckEmailedLink
from portico_users.end_users.commands.emailed_links import EmailedLinks
from portico_users.end_users.commands.recover_account import RecoverAccount
from portico_users.end_users.commands.register import Registration
from portico_users.end_users.commands.request_codes import EmailCodes
from portico_users.end_users.commands.verify_email import EmailVerification
from portico_users.first_run.first_run import FirstRuns
from portico_users.grants.role_queries import RoleQueries
from portico_users.identity_providers.assertion_questions import AssertionQuestions
from portico_users.identity_providers.commands.intent_callbacks import IntentQuestions
from portico_users.identity_providers.commands.sign_ins import ExternalSignIns, LdapSignIns
from portico_users.journal.republishing import Republishing
from portico_users.lazy_migration.migrating_sign_in import MigratingSignIn
from portico_users.outside_servers.assertions import OutsideAssertions
from portico_users.policies.first_factors import FirstFactors
from portico_users.policies.login_policies import LoginPolicies
from portico_users.projects.api_queries import ApiQueries
from portico_users.redis_watermarks import RedisWatermarks
from portico_users.sessions.agent_uses import AgentUses
from portico_users.sessions.api.impersonation import Impersonation
from portico_users.sessions.commands.consents import Consents
from portico_users.token_hooks.token_hooks import TokenHooks
from portico_users.trusted_workloads.key_questions import IssuerKeyQuestions
from portico_users.trusted_workloads.uses import WorkloadUses
from portico_users.user_import.commands.user_import import UserImport


@dataclass(frozen=True, slots=True)
class Messages:
    apps: AppQueries
    metadata_clients: MetadataClients
    audiences: AudienceQueries
    apis: ApiQueries
    secret_uses: SecretUses
    agent_uses: AgentUses
    accounts: AccountQueries
    consents: Consents
    impersonation: Impersonation
    outside_assertions: OutsideAssertions
    service_users: ServiceUserQueries
    roles: RoleQueries
    passwords: MigratingSignIn
    password_change: PasswordChange
    policies: LoginPolicies
    first_factors: FirstFactors
    registration: Registration
    email_codes: EmailCodes
    email_verification: EmailVerification
    links: EmailedLinks
    check_link: CheckEmailedLink
    recovery: RecoverAccount
    passkeys: PasskeyByLink
    invited_passkeys: InvitedPasskeys
    keys: WebAuthnSignIn
    factor_codes: FactorCodes
    factor_mail: SignInCodes
    email_code: EmailCodeSignIn
    factor_text: TextCodes
    enrolment: Enrolment
    first_run: FirstRuns
    external: ExternalSignIns
    intents: IntentQuestions
    ldap: LdapSignIns
    hashes: HashReport
    applier: Applier
    exporter: Exporter
    user_import: UserImport
    refusals: RefusalLog
    explanations: DiagnosticExplanations
    redis_marks: RedisWatermarks
    republishing: Republishing
    operator_events: OperatorEvents
    migrations: Migrations
    token_hooks: TokenHooks
    issuer_keys: IssuerKeyQuestions
    workload_uses: WorkloadUses
    assertions: AssertionQuestions

    def answer_on(self, bus: Bus) -> None:
        bus.receive(RECORD_TRACES, self.refusals.record)
        bus.receive(SECRET_USED, self.secret_uses.note)
        bus.receive(WORKLOAD_USED, self.workload_uses.note)
        bus.receive(AGENT_USED, self.agent_uses.note)
        bus.respond(FIND_TRACE, self.explanations.find_diagnostic)
        bus.respond(GET_AUDIENCES, self.audiences.get_audiences)
        bus.respond(GET_APIS, self.apis.get_apis)
        self._answer_on_access(bus)
        bus.respond(DESCRIBE_SCOPES, self.apis.describe_scopes)
        bus.respond(GET_USER, self.accounts.get_user)
        bus.respond(FIND_USER, self.accounts.find_user)
        bus.respond(GET_CLAIMS, self.accounts.get_claims)
        bus.respond(CONFIRM_VERSIONS, self.accounts.confirm_versions)
        bus.respond(GET_SERVICE_USER, self.service_users.get_service_user)
        bus.respond(GET_ROLES, self.roles.get_roles)
        bus.respond(GET_GROUPS, self.roles.get_groups)
        bus.respond(CHECK_PROJECT_ACCESS, self.roles.get_admission)
        bus.respond(GET_LOGIN_POLICY, self.policies.get_login_policy)
        bus.respond(FIND_ORGANIZATION, self.policies.find_organization)
        bus.respond(CHECK_EXEMPTION, self.first_factors.check_exemption)
        bus.respond(VERIFY_PASSWORD, self.passwords.verify_password)
        bus.respond(CHANGE_PASSWORD, self.password_change.change_password)
        bus.respond(REGISTER, self.registration.register)
        bus.respond(SEND_EMAIL_CODE, self.email_codes.send_email_code)
        bus.respond(VERIFY_EMAIL, self.email_verification.verify_email)
        self._answer_emailed_links(bus)
        bus.respond(BEGIN_ASSERTION, self.keys.begin_assertion)
        bus.respond(FINISH_ASSERTION, self.keys.finish_assertion)
        self._answer_about_codes(bus)
        bus.respond(BEGIN_EXTERNAL, self.external.begin)
        bus.respond(FINISH_EXTERNAL, self.external.finish)
        bus.respond(VERIFY_LDAP, self.ldap.verify)
        bus.respond(LINK_EXTERNAL, self.external.link)
        bus.respond(CREATE_EXTERNAL, self.external.create)
        bus.respond(FIND_INTENT, self.intents.find)
        bus.respond(RETURN_INTENT, self.intents.finish)
        bus.respond(HASH_KINDS, self.hashes.list_kinds)
        bus.respond(APPLY, self.applier.apply)
        bus.respond(EXPORT, self.exporter.export)
        bus.respond(IMPORT_USERS, self.user_import.import_users)
        bus.respond(REMEMBER_MARKS, self.redis_marks.remember)
        bus.respond(RECALL_MARKS, self.redis_marks.recall)
        bus.respond(REPUBLISH_EVENTS, self.republishing.republish)
        bus.respond(LIST_EVENTS, self.operator_events.list)
        bus.respond(USERS_MIGRATIONS, self.migrations.list)
        bus.respond(USERS_MIGRATE_BATCH, self.migrations.carry)
        self._answer_about_clients(bus)
        self._answer_about_registrations(bus)

    def _answer_about_clients(self, bus: Bus) -> None:
        bus.respond(GET_CLIENT, self.apps.get_client)
        bus.respond(GET_CLIENT_BY_URL, self.metadata_clients.get_client)
        bus.respond(GET_USED_GRANT_TYPES, self.apps.get_used_grant_types)
        bus.respond(CHECK_ORIGIN, self.apps.knows_origin)
        bus.respond(CALL_TOKEN_HOOK, self.token_hooks.call)
        bus.respond(GET_ISSUER_KEYS, self.issuer_keys.get_issuer_keys)
        bus.respond(FIND_ASSERTION_TRUSTS, self.assertions.find_trusts)
        bus.respond(FIND_ASSERTED, self.assertions.find_asserted)

    def _answer_about_codes(self, bus: Bus) -> None:
        bus.respond(VERIFY_TOTP, self.factor_codes.verify_totp)
        bus.respond(VERIFY_RECOVERY_CODE, self.factor_codes.verify_recovery_code)
        bus.respond(SEND_FACTOR_EMAIL, self.factor_mail.send_factor_email)
        bus.respond(VERIFY_FACTOR_EMAIL, self.factor_mail.verify_factor_email)
        bus.respond(SEND_SIGN_IN_CODE, self.email_code.send_code)
        bus.respond(VERIFY_SIGN_IN_CODE, self.email_code.verify_code)
        bus.respond(SEND_FACTOR_TEXT, self.factor_text.send_factor_text)
        bus.respond(VERIFY_FACTOR_TEXT, self.factor_text.verify_factor_text)

    def _answer_about_registrations(self, bus: Bus) -> None:
        bus.respond(BEGIN_ENROLMENT, self.enrolment.begin)
        bus.respond(VERIFY_ENROLMENT_CODE, self.enrolment.verify_code)
        bus.respond(BEGIN_ENROLLED_KEY, self.enrolment.begin_key)
        bus.respond(BEGIN_ENROLLED_TOTP, self.enrolment.begin_totp)
        bus.respond(FINISH_ENROLMENT, self.enrolment.finish)
        bus.respond(GET_ENROLLED_CODES, self.enrolment.list_codes)
        bus.respond(CREATE_FIRST_RUN_LINK, self.first_run.create_link)
        bus.respond(GET_FIRST_RUN, self.first_run.get)
        bus.respond(BEGIN_FIRST_RUN, self.first_run.begin)
        bus.respond(FINISH_FIRST_RUN, self.first_run.finish)

    def _answer_emailed_links(self, bus: Bus) -> None:
        bus.respond(CHECK_LINK, self.check_link)
        bus.respond(VERIFY_EMAIL_LINK, self.links.verify_email)
        bus.respond(SET_PASSWORD_BY_LINK, self.links.set_password)
        bus.respond(SET_PASSWORD_BY_CODE, self.links.set_password_by_code)
        bus.respond(BEGIN_RECOVERY, self.recovery.begin)
        bus.respond(SEND_PASSWORD_LINK, self.links.send_password)
        bus.respond(BEGIN_PASSKEY_BY_LINK, self.passkeys.begin)
        bus.respond(FINISH_PASSKEY_BY_LINK, self.passkeys.finish)
        bus.respond(BEGIN_PASSKEY_BY_INVITATION, self.invited_passkeys.begin)
        bus.respond(FINISH_PASSKEY_BY_INVITATION, self.invited_passkeys.finish)

    def _answer_on_access(self, bus: Bus) -> None:
        bus.respond(GET_CONSENT, self.accounts.get_consent)
        bus.respond(GIVE_CONSENT, self.consents.give)
        bus.respond(ACT_FOR_USER, self.impersonation.act_for)
        bus.respond(REQUEST_ASSERTION, self.outside_assertions.request)
