from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from portico_runtime.doctor.finding import Finding

_NAME: Final = "secrets"
_OTHERS: Final = stat.S_IRWXO
"""Group access is allowed: on Kubernetes the group is that of the container."""


def check_secret_files() -> Finding:
    directory = os.environ.get("PORTICO_SECRETS_DIR")
    if not directory:
        return Finding(_NAME, "ok", "no files: PORTICO_SECRETS_DIR is not set")
    files = sorted(path for path in Path(directory).iterdir() if path.name.startswith("portico_"))
    # Files in a directory that others cannot enter are protected.
    if not Path(directory).stat().st_mode & stat.S_IXOTH:
        return Finding(_NAME, "ok", f"{len(files)} files, in a directory that others cannot enter")
    open_ones = [path.name for path in files if path.stat().st_mode & _OTHERS]
    if not open_ones:
        return Finding(_NAME, "ok", f"{len(files)} files, which others cannot read")
    return Finding(
        _NAME,
        "wrong",
        f"every user of this machine may read {', '.join(open_ones)}",
        "Run chmod o-rwx on these files. On Kubernetes, set defaultMode 0440 and fsGroup.",
        "Anyone who can read them can access the stores as this service.",
    )
