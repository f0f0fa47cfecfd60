from __future__ import annotations

import msgspec
import pytest
from portico_cli.commands.apply import apply_in_runs
from portico_contracts.apply import Document
from portico_contracts.users import Applied, Apply, Change, Failure

LATE = Failure(kind="unavailable", id="USER-843", text="organizations[0].humans[1]: The time for one run is over.")
TAKEN = Failure(kind="exists", id="USER-011", text="organizations[0].humans[1]: This name is already in use.")
DENIED = Failure(kind="precondition", id="USER-837", text="organizations[0].humans[1]: Not confirmed.")
ADA, BOB = (Change(action="created", kind="human", id=id, name=id) for id in ("ada", "bob"))
SAME = msgspec.structs.replace(ADA, action="unchanged")


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([Applied(changes=(ADA,), failure=LATE), Applied(changes=(SAME, BOB))], Applied(changes=(ADA, BOB))),
        (
            [Applied(changes=(ADA,), failure=LATE), Applied(changes=(SAME,), failure=LATE)],
            Applied(changes=(ADA,), failure=LATE),
        ),
        ([Applied(changes=(ADA,), failure=DENIED)], Applied(changes=(ADA,), failure=DENIED)),
        (
            [Applied(changes=(ADA,), failure=TAKEN), Applied(changes=(SAME,), failure=TAKEN)],
            Applied(changes=(ADA,), failure=TAKEN),
        ),
        (
            [
                Applied(changes=(), failure=TAKEN),
                Applied(changes=(SAME,), failure=TAKEN),
                Applied(changes=(SAME, BOB)),
            ],
            Applied(changes=(SAME, BOB)),
        ),
    ],
    ids=["to the end", "without progress", "refused", "taken for good", "after another run"],
)
def test_runs_are_repeated_while_there_is_progress(runs: list[Applied], expected: Applied) -> None:
    """After the time limit, or where the run of a killed command goes on; the result has each object once."""
    left = [*runs]

    assert apply_in_runs(Apply(document=Document()), lambda _wanted: left.pop(0)) == expected
    assert left == []
