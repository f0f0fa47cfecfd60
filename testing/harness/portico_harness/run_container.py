"""``python run_container.py IMAGE DIRECTORY UID GID COMMAND…``: runs a container as a foreground process.

SIGTERM stops and removes the container.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

from testcontainers.core.container import DockerContainer


def main() -> None:
    image, directory, uid, gid, *command = sys.argv[1:]
    container = (
        DockerContainer(image, user=f"{uid}:{gid}", network_mode="host")
        .with_volume_mapping(directory, directory, "rw")
        .with_command(command)
    )
    container.start()

    def stop(_number: int, _frame: FrameType | None) -> None:
        container.stop()
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    container.get_wrapped_container().wait()
    container.stop()


if __name__ == "__main__":
    main()
