"""``python -m mutants [WORD …]``: runs every mutant, or those whose id has one of the words. Status 1 if one
survives.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from mutants.copies import copy_tree
from mutants.mutant import Mutant, read_mutants
from mutants.verdicts import Outcome, Verdict, judge, run_tests

_WORKERS: Final = 2
_BASELINE_SECONDS: Final = 1800


def main(words: list[str]) -> int:
    """Runs the tests without any mutant first, because a test that fails anyway proves nothing."""
    mutants = [one for one in read_mutants() if not words or any(word in one.id for word in words)]
    if not mutants:
        print(f"No mutant has an id with {' or '.join(words)}.")
        return 2
    with tempfile.TemporaryDirectory(prefix="portico-mutants-") as directory:
        trees = [copy_tree(Path(directory) / str(number)) for number in range(_WORKERS)]
        tests = tuple(sorted({test for one in mutants for test in one.tests}))
        baseline = run_tests(tests, trees[0], seconds=_BASELINE_SECONDS)
        if baseline.returncode:
            print(f"{baseline.stdout[-4000:]}\nThese tests fail without any mutant, so nothing can be said.")
            return 2
        verdicts = list(_judge_all(mutants, trees))
    killed = sum(verdict.outcome is Outcome.KILLED for verdict in verdicts)
    print(f"{killed} of {len(verdicts)} mutants killed")
    return 0 if killed == len(verdicts) else 1


def _judge_all(mutants: list[Mutant], trees: list[Path]) -> Iterator[Verdict]:
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def judge_in_a_free_tree(mutant: Mutant) -> Verdict:
        tree = free.get()
        try:
            return judge(mutant, tree)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        for mutant, verdict in zip(mutants, pool.map(judge_in_a_free_tree, mutants), strict=True):
            print(f"{verdict.outcome:<9} {mutant.id:<44} {mutant.rule}", flush=True)
            if verdict.output:
                print(verdict.output, flush=True)
            yield verdict


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
