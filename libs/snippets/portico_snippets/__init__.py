"""Finished code for applications that sign people in with Portico.

One folder of `data/` is one framework: ``about.toml`` and the files of the code, each with ``.in`` after its name.
In a file, ``{{issuer}}`` and the other
names of `rendering.VALUES` become values as string literals of JavaScript, Python, Go, Java and YAML (which JSON
strings are in all of them); ``{{client_authentication}}`` becomes the text of the method in ``about.toml``. A client
secret is never written into code: it is read from the environment variable CLIENT_SECRET.

Used by ``portico app`` and by any other program that shows code for an application. It imports nothing of ours.
"""

from portico_snippets.frameworks import FRAMEWORKS, Framework, find_framework
from portico_snippets.rendering import Application, CodeUnavailable, Rendered, render

__all__ = ["FRAMEWORKS", "Application", "CodeUnavailable", "Framework", "Rendered", "find_framework", "render"]
