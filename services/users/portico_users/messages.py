"""What users answers on the bus."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import (
    APPLY,
    FIND_USER,
    GET_AUDIENCES,
    GET_CLAIMS,
    GET_CLIENT,
    GET_ROLES,
    GET_SERVICE_USER,
    GET_USER,
    KNOWS_ORIGIN,
    VERIFY_PASSWORD,
)
from portico_runtime.bus import Bus

from portico_users.accounts.queries import AccountQueries
from portico_users.accounts.roles import RoleQueries
from portico_users.accounts.service_users import ServiceUserQueries
from portico_users.apply.applier import Applier
from portico_users.apps.queries import AppQueries
from portico_users.credentials.verification import PasswordVerification


@dataclass(frozen=True, slots=True)
class Messages:
    """The handlers of users' questions."""

    apps: AppQueries
    accounts: AccountQueries
    service_users: ServiceUserQueries
    roles: RoleQueries
    passwords: PasswordVerification
    applier: Applier

    def answer_on(self, bus: Bus) -> None:
        """Registers every handler."""
        bus.answer(GET_CLIENT, self.apps.get_client)
        bus.answer(GET_AUDIENCES, self.apps.get_audiences)
        bus.answer(KNOWS_ORIGIN, self.apps.knows_origin)
        bus.answer(GET_USER, self.accounts.get_user)
        bus.answer(FIND_USER, self.accounts.find_user)
        bus.answer(GET_CLAIMS, self.accounts.get_claims)
        bus.answer(GET_SERVICE_USER, self.service_users.get_service_user)
        bus.answer(GET_ROLES, self.roles.get_roles)
        bus.answer(VERIFY_PASSWORD, self.passwords.verify_password)
        bus.answer(APPLY, self.applier.apply)
