"""Runs ``promtool test rules`` on the alerts. Not part of ``make test``, because promtool takes eight minutes to
build.
"""

from __future__ import annotations

import subprocess
import sys

from generated_files import ROOT
from portico_harness.built_programs import promtool

if __name__ == "__main__":
    try:
        print(promtool("test", "rules", ROOT / "deploy" / "monitoring" / "rules.test.yaml"))
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.stdout}{error.stderr}")
