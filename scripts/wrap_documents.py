"""Wraps the paragraphs of every document at 120 characters; `scripts/rules.py` refuses longer ones.

python scripts/wrap_documents.py
"""

from __future__ import annotations

from generated_files import ROOT
from house_rules.line_width import wrapped
from house_rules.prose import written_documents


def main() -> None:
    """Writes the documents that change, and prints their names."""
    for document in written_documents(ROOT):
        text = document.read_text()
        if (wanted := wrapped(text)) != text:
            document.write_text(wanted)
            print(document.relative_to(ROOT))


if __name__ == "__main__":
    main()
