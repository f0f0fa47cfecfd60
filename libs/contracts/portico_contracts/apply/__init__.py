"""The document of ``portico apply``: the desired state in the terms of the management API.

Unknown keys are errors. Missing ids are generated. Secrets and passwords are applied at creation only, so a
later apply never overwrites a change by a user.
"""

from __future__ import annotations

from portico_oauth.grant_types import GrantTypeName

from portico_contracts.apply.accepted_assertions import *
from portico_contracts.apply.idps import *
from portico_contracts.apply.ldap_idps import *
from portico_contracts.apply.organizations import *
from portico_contracts.apply.outside_servers import *
from portico_contracts.apply.parts import *
from portico_contracts.apply.policies import *
from portico_contracts.apply.projects import *
from portico_contracts.apply.scim import *
from portico_contracts.apply.senders import *
from portico_contracts.apply.settings import *
from portico_contracts.apply.trusted_workloads import *
from portico_contracts.apply.users import *
from portico_contracts.apply.vocabulary import *
from portico_contracts.apply.webhooks import *
