from pathlib import Path

from portico_runtime.process.memory.free_memory import return_free_memory

MEBIBYTE = 1024 * 1024


def resident_mebibytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / MEBIBYTE


def test_freed_memory_is_returned_to_the_system() -> None:
    """Freed memory below memory in use is returned too."""
    blocks = [bytes(2_000) for _ in range(100_000)]
    full = resident_mebibytes()
    del blocks[:-1]

    return_free_memory()

    assert resident_mebibytes() < full - 150
