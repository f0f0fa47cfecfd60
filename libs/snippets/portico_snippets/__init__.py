"""Ready-made code for applications that sign users in with Portico.

Each folder of `data/` is a framework: ``about.toml`` and the files, each with the suffix ``.in``. In a file,
``{{issuer}}`` and the other names of `rendering.VALUES` are replaced by string literals of JavaScript,
Python, Go, Java and YAML (JSON strings are valid in all of them); ``{{client_authentication}}`` is replaced
by the text of the method in ``about.toml``. A client secret is never written into code.
"""

from portico_snippets.frameworks import FRAMEWORKS, Framework, find_framework
from portico_snippets.rendering import Application, CodeUnavailable, Rendered, render

__all__ = ["FRAMEWORKS", "Application", "CodeUnavailable", "Framework", "Rendered", "find_framework", "render"]
