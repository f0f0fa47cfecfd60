"""Python messages: the output of protoc with imports relative to `portico_contracts.generated`."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from generated_code.protoc import run, run_on
from generated_code.zitadel_files import zitadel_files

PACKAGE: Final = "libs/contracts/portico_contracts/generated"
_OURS: Final = re.compile(r"^from (buf|portico|zitadel)(\.| import)", re.MULTILINE)
_PACKAGE_TEXT: Final = '"""Generated from libs/contracts by `make gen`."""\n'


def messages() -> dict[str, str]:
    with TemporaryDirectory() as directory:
        options = [f"--python_out={directory}", f"--pyi_out={directory}"]
        run(options)
        theirs = zitadel_files()
        run_on(theirs, options, [one.name for one in theirs.file if one.package.startswith("zitadel.")])
        root = Path(directory)
        written = sorted(path for path in root.glob("**/*") if path.is_file())
        texts = {path.relative_to(root): _with_own_imports(path.read_text()) for path in written}
    folders = {folder for path in texts for folder in path.parents}
    texts |= {folder / "__init__.py": _PACKAGE_TEXT for folder in folders}
    return {f"{PACKAGE}/{path.as_posix()}": text for path, text in texts.items()}


def _with_own_imports(text: str) -> str:
    return _OURS.sub(r"from portico_contracts.generated.\1\2", text)
