"""Service users that trust a pod and CI jobs, and the tokens of these (decision 0152)."""

from __future__ import annotations

from typing import Any, Final

import httpx
from portico_contracts.users import ConditionMatch, IssuerKeys, TrustedWorkload, WorkloadCondition
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.jose import SigningKey

from portico_fakes.assertions import ASSERTION_TYPE, registered, sign
from portico_fakes.token_service import ISSUER, TokenService

CLUSTER: Final = "https://kubernetes.default.svc.cluster.local"
CI: Final = "https://ci.example.test/actions/"
SUBJECT: Final = "system:serviceaccount:shop:orders"
KEY, OTHER, RSA = (SigningKey.generate(kid, alg) for kid, alg in (("k1", "ES256"), ("k2", "ES256"), ("k3", "RS256")))
DOWN: Final = ErrorCode("TEST-095", Kind.UNAVAILABLE, "Users is not reached.")


def workload(**changes: Any) -> TrustedWorkload:
    """Of a private cluster, with pasted keys."""
    values: dict[str, Any] = {
        "name": "cluster",
        "issuer": CLUSTER,
        "conditions": (WorkloadCondition(claim="sub", value=SUBJECT),),
        "has_keys": True,
        "keys": (registered(KEY), registered(RSA)),
    }
    return TrustedWorkload(**values | changes)


def of_ci(*conditions: WorkloadCondition) -> TrustedWorkload:
    """Of an issuer whose keys are fetched."""
    prefix = WorkloadCondition(claim="sub", value="repo:acme/shop:", match=ConditionMatch.PREFIX)
    return workload(name="ci", issuer=CI, conditions=conditions or (prefix,), has_keys=False, keys=())


def claims(service: TokenService, **changes: Any) -> dict[str, Any]:
    """As the API server of Kubernetes writes them; an ellipsis removes a claim."""
    now = int(service.clock.now())
    given = {
        "iss": CLUSTER,
        "sub": SUBJECT,
        "aud": [ISSUER],
        "exp": now + 3600,
        "iat": now,
        "nbf": now,
        "kubernetes.io": {"namespace": "shop", "serviceaccount": {"name": "orders", "uid": "1"}},
        **changes,
    }
    return {name: value for name, value in given.items() if value is not ...}


def pod_token(
    service: TokenService, key: SigningKey = KEY, header: dict[str, Any] | None = None, **changes: Any
) -> str:
    """Without typ, as Kubernetes signs them."""
    return sign(key, claims(service, **changes), **{"typ": ..., **(header or {})})


def ci_token(service: TokenService, key: SigningKey = OTHER, **changes: Any) -> str:
    return sign(key, claims(service, **{"iss": CI, "sub": "repo:acme/shop:ref:refs/heads/main", **changes}))


async def credentials(
    service: TokenService, token: str, client_id: str | None = "robot", **form: str
) -> httpx.Response:
    """Requests a token by client_credentials."""
    named = {} if client_id is None else {"client_id": client_id}
    asked = {"grant_type": "client_credentials", "scope": "openid", "client_assertion_type": ASSERTION_TYPE}
    return await service.token({**asked, "client_assertion": token, **named, **form})


def with_workloads(service: TokenService) -> TokenService:
    """Adds the service user ``robot``, who trusts a pod and CI jobs."""
    service.register_service_user("robot", trusted_workloads=(workload(), of_ci()), secret_hash="")
    service.users.issuer_keys[CI] = IssuerKeys(keys=(registered(OTHER),))
    return service
