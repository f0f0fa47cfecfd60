"""Messages of the users service; callers import from here, except for enrolments and the first run."""

from __future__ import annotations

from portico_contracts.users.accepted_assertions import *
from portico_contracts.users.accounts import *
from portico_contracts.users.agents import *
from portico_contracts.users.apis import *
from portico_contracts.users.applying import *
from portico_contracts.users.branding import *
from portico_contracts.users.claim_rules import *
from portico_contracts.users.clients import *
from portico_contracts.users.consents import *
from portico_contracts.users.emailed_links import *
from portico_contracts.users.external import *
from portico_contracts.users.factors import *
from portico_contracts.users.impersonation import *
from portico_contracts.users.intents import *
from portico_contracts.users.organizations import *
from portico_contracts.users.outside_servers import *
from portico_contracts.users.passwords import *
from portico_contracts.users.places import *
from portico_contracts.users.public_keys import *
from portico_contracts.users.registration import *
from portico_contracts.users.token_hooks import *
from portico_contracts.users.trusted_workloads import *
