"""Ready-made code for applications that sign users in with Portico, and for APIs that check its access tokens.

Each folder of `data/` (applications) and `apis/` is a framework: ``about.toml`` and the files, each with the suffix
``.in``. In a file, ``{{issuer}}`` and the other names of `rendering.VALUES`, or of `api_rendering`, are replaced by
string literals of JavaScript, Python, Go, Java and YAML (JSON strings are valid in all of them);
``{{client_authentication}}`` is replaced by the text of the method in ``about.toml``. A client secret is never written
into code.
"""

from portico_snippets.api_rendering import Api, render_api
from portico_snippets.frameworks import API_FRAMEWORKS, FRAMEWORKS, Framework, find_api_framework, find_framework
from portico_snippets.rendering import Application, CodeUnavailable, Rendered, render

__all__ = [
    "API_FRAMEWORKS", "FRAMEWORKS", "Api", "Application", "CodeUnavailable", "Framework", "Rendered",
    "find_api_framework", "find_framework", "render", "render_api",
]  # fmt: skip
