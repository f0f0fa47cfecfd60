from __future__ import annotations

from portico_users.applications.client_keys import assertion_keys
from portico_users.grants import role_grants
from portico_users.service_users import personal_access_tokens as personal_tokens
from portico_users.service_users.service_user import SERVICE_USERS, ServiceUser
from portico_users.storage.entry import Entry
from portico_users.trusted_workloads.rules import problems_of_workloads
from portico_users.values.names import ALG_UNKNOWN, INVALID_NAME, INVALID_USER_NAME, is_name, is_offered, is_user_name
from portico_users.values.problems import Problem, Problems, refuse_first


def problems_of(service_user: ServiceUser) -> Problems:
    if not is_user_name(service_user.user_name):
        yield Problem("username", INVALID_USER_NAME)
    if not is_name(service_user.name):
        yield Problem("name", INVALID_NAME)
    if not is_offered(service_user.access_token_alg):
        yield Problem("accessTokenAlg", ALG_UNKNOWN)
    yield from assertion_keys.problems_of(service_user.keys)
    yield from problems_of_workloads(service_user.trusted_workloads)
    yield from personal_tokens.problems_of(service_user.personal_tokens)
    yield from role_grants.problems_of(service_user.grants)


def put_service_user(before: ServiceUser | None, after: ServiceUser) -> Entry[ServiceUser]:
    refuse_first(problems_of(after))
    kids = assertion_keys.new_kids(before.keys if before else (), after.keys)
    return Entry(SERVICE_USERS, before, after, ids=kids)
