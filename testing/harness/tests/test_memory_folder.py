from __future__ import annotations

from pathlib import Path

from portico_harness.memory_folder import has_room


def test_memory_is_used_only_where_it_has_room(tmp_path: Path) -> None:
    """A small folder (a container's), little memory or no such folder leave the files on the disk."""
    memory = tmp_path / "meminfo"
    memory.write_text("MemTotal:        4000 kB\nMemAvailable:       2 kB\n")

    assert has_room(tmp_path, memory, needed=2048)
    assert not has_room(tmp_path, memory, needed=2049)
    assert not has_room(tmp_path / "absent", memory, needed=1)
    memory.write_text(f"MemAvailable: {2**60} kB\n")
    assert not has_room(tmp_path, memory, needed=2**62)
