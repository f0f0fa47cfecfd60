from __future__ import annotations

import msgspec
import pytest
from portico_cli.commands.apply import apply_in_runs
from portico_contracts.apply import Document
from portico_contracts.users import Applied, Apply, Change, Failure

LATE = Failure(kind="unavailable", id="USER-843", text="organizations[0].humans[1]: The time for one run is over.")
TAKEN = Failure(kind="exists", id="USER-011", text="organizations[0].humans[1]: This name is already in use.")
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
        ([Applied(changes=(ADA,), failure=TAKEN)], Applied(changes=(ADA,), failure=TAKEN)),
    ],
    ids=["to the end", "without progress", "refused"],
)
def test_runs_are_repeated_while_they_change_something(runs: list[Applied], expected: Applied) -> None:
    """Only after an end such as the time limit; the result has each object once, as the first run changed it."""
    left = [*runs]

    assert apply_in_runs(Apply(document=Document()), lambda _wanted: left.pop(0)) == expected
    assert left == []
