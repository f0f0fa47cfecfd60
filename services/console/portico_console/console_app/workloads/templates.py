"""What the page of trusted workloads offers for each kind of issuer: an entry to start from, warnings, and the code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_console.messages import message

ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_PREFIX: Final = "CONDITION_MATCH_PREFIX"


class Template(NamedTuple):
    """`workload` starts an entry; `code` is for `file` and has ``{issuer}`` and ``{client_id}``."""

    word: str
    title: str
    workload: Mapping[str, Any]
    warnings: tuple[str, ...]
    file: str
    code: str

    def code_for(self, issuer: str, client_id: str) -> str:
        return self.code.replace("{issuer}", issuer).replace("{client_id}", client_id)


def _subject(value: str, *more: tuple[str, str], prefix: bool = False) -> list[dict[str, str]]:
    match = {"match": _PREFIX} if prefix else {}
    return [{"claim": "sub", "value": value, **match}, *({"claim": claim, "value": one} for claim, one in more)]


_REQUEST: Final = f"""\
curl --silent {{issuer}}/oauth/v2/token \\
  --data grant_type=client_credentials --data client_id={{client_id}} --data-urlencode "scope=openid" \\
  --data client_assertion_type={ASSERTION_TYPE} \\
  --data-urlencode """

TEMPLATES: Final = (
    Template(
        "kubernetes",
        "Kubernetes",
        {
            "name": "Kubernetes",
            "issuer": "https://kubernetes.default.svc.cluster.local",
            "conditions": _subject("system:serviceaccount:NAMESPACE:NAME"),
        },
        (
            message("Without the name of the service account, every pod of the namespace gets in."),
            message("Paste the keys of the cluster if it is not reached from here, and again when they change."),
        ),
        "pod.yaml",
        """\
apiVersion: v1
kind: Pod
metadata: {name: orders, namespace: NAMESPACE}
spec:
  serviceAccountName: NAME
  containers:
    - name: orders
      image: registry.example.com/orders
      volumeMounts: [{name: portico, mountPath: /var/run/portico, readOnly: true}]
  volumes:
    - name: portico
      projected:
        sources:
          - serviceAccountToken: {path: token, audience: "{issuer}", expirationSeconds: 3600}

# In the pod:
# """
        + (_REQUEST + "client_assertion@/var/run/portico/token").replace("\n", "\n# ")
        + """

# The issuer and the keys of the cluster:
# kubectl get --raw /.well-known/openid-configuration | jq -r .issuer
# kubectl get --raw /openid/v1/jwks
""",
    ),
    Template(
        "github",
        "GitHub Actions",
        {
            "name": "GitHub Actions",
            "issuer": "https://token.actions.githubusercontent.com",
            "conditions": _subject("repo:OWNER/REPOSITORY:ref:refs/heads/main"),
        },
        (
            message("Name owner and repository: other people have repositories below every other beginning."),
            message(
                "A subject that ends with pull_request is code of other people. A prefix of the repository includes it."
            ),
        ),
        "workflow.yaml",
        """\
on: {push: {branches: [main]}}
permissions: {id-token: write}
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps:
      - run: |
          TOKEN=$(curl --silent --header "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\
            "$ACTIONS_ID_TOKEN_REQUEST_URL&audience={issuer}" | jq -r .value)
          """
        + (_REQUEST + '"client_assertion=$TOKEN"').replace("\n", "\n          ")
        + "\n",
    ),
    Template(
        "gitlab",
        "GitLab CI",
        {
            "name": "GitLab CI",
            "issuer": "https://gitlab.com",
            "conditions": _subject("project_path:GROUP/PROJECT:ref_type:branch:ref:main", ("ref_protected", "true")),
        },
        (
            message("Name the project: the beginning of a group holds for all its projects."),
            message("Tokens live as long as the timeout of the job, which must not exceed an hour."),
        ),
        ".gitlab-ci.yml",
        """\
deploy:
  id_tokens:
    PORTICO_TOKEN: {aud: "{issuer}"}
  script:
    - |
      """
        + (_REQUEST + '"client_assertion=$PORTICO_TOKEN"').replace("\n", "\n      ")
        + "\n",
    ),
    Template(
        "other",
        message("Another issuer"),
        {"name": "workload", "issuer": "https://issuer.example.com", "conditions": _subject("SUBJECT")},
        (message("The subject has to be given by the issuer, never chosen by the workload."),),
        "request.sh",
        _REQUEST + '"client_assertion=$TOKEN"\n',
    ),
)
BY_WORD: Final = {one.word: one for one in TEMPLATES}
