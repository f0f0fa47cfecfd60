"""The format of a backup: consecutive BSON documents, compressed by gzip, encrypted by age (age-encryption.org/v1).

A header, then each document with its collection, the number of documents per collection, and an HMAC of all
that under a key of the installation. age detects changes and truncation; the HMAC proves the origin, since
anyone can encrypt to a public key.
"""

from __future__ import annotations

import errno
import gzip
import hmac
import os
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import bson
import pyrage
from portico_oauth.master_keys import derived_keys
from portico_stack.machine.full_disks import naming

from portico_cli.backup.compression import compressing
from portico_cli.backup.documents import Run, enclosed, portions

FORMAT: Final = 2
UNAUTHENTICATED: Final = 1
"""The format without an HMAC."""

_PURPOSE: Final = b"portico backup"

_NO_RUN: Final = Run("", [bson.encode({})])
_LENGTH: Final = 4
_MAC: Final = b"\x05mac\x00"
"""A binary field, which follows the length of a document."""


class ArchiveRefused(ValueError):
    """Not a backup, incomplete, for another key, or of another installation; the message is for the operator."""


def authentication_keys(master_keys: str) -> tuple[bytes, ...]:
    """Derived from ``PORTICO_MASTER_KEYS`` of keys; the first one signs, all verify."""
    try:
        return derived_keys(master_keys, _PURPOSE)
    except ValueError as error:
        raise ArchiveRefused(f"the master keys cannot be read: {error}") from error


def read_key_file(file: Path) -> str:
    """Reads a file with an age private key or with master keys."""
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArchiveRefused(f"{file} is not text: it contains no key") from error


class Writer:
    def __init__(self, write: Callable[[bytes], object], key: bytes) -> None:
        self._output = write
        self._mac = hmac.new(key, digestmod="sha256")
        self.counts: Counter[str] = Counter()

    def header(self, **members: Any) -> None:
        self._write(bson.encode({"portico": "backup", "format": FORMAT, **members}))

    def add(self, place: str, documents: Sequence[bytes]) -> None:
        """Adds BSON documents of a collection; ``place`` is ``database.collection``."""
        self._write(b"".join(enclosed(place, documents)))
        self.counts[place] += len(documents)

    def finish(self) -> None:
        self._write(bson.encode({"end": dict(self.counts)}))
        self._output(bson.encode({"mac": self._mac.digest()}))

    def _write(self, encoded: bytes) -> None:
        self._mac.update(encoded)
        self._output(encoded)


@contextmanager
def writing(file: Path, recipient: str, key: bytes) -> Iterator[Writer]:
    """Creates an owner-only file, which is there once it is complete; `recipient` is the public key, ``age1…``."""
    try:
        public = pyrage.x25519.Recipient.from_str(recipient)
    except pyrage.RecipientError as error:
        raise ArchiveRefused("the recipient is not an age public key (age1…)") from error
    try:
        with created_for_owner(file) as out:
            with _piped(lambda reader: pyrage.encrypt_io(reader, out, [public]), write=True) as pipe:
                with compressing(pipe) as compressed:
                    writer = Writer(compressed.write, key)
                    yield writer
                    writer.finish()
    except pyrage.EncryptError as error:  # how age reports a full disk
        raise ArchiveRefused(f"{file} cannot be written: {error}") from error


@contextmanager
def created_for_owner(file: Path) -> Iterator[BinaryIO]:
    """Creates an owner-only file that must not exist; a killed process leaves its own ``FILE.….incomplete``."""
    _refuse_existing(file)
    new = file.with_name(f"{file.name}.{secrets.token_hex(4)}.incomplete")
    with naming(file, new):
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with naming(file), os.fdopen(descriptor, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        _refuse_existing(file)
        new.rename(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _refuse_existing(file: Path) -> None:
    """A link to nothing exists too."""
    if os.path.lexists(file):
        raise FileExistsError(errno.EEXIST, "The file exists already. Choose another name.", str(file))


class Reader:
    """`identity` has a line ``AGE-SECRET-KEY-1…``, beside comments in a file of ``age-keygen``.

    One of `keys` must have authenticated the backup, None skips the check.
    """

    def __init__(self, file: Path, identity: str, keys: Sequence[bytes] | None) -> None:
        lines = (line.strip() for line in identity.splitlines())
        try:
            self._key = pyrage.x25519.Identity.from_str(next((one for one in lines if one and one[0] != "#"), ""))
        except pyrage.IdentityError as error:
            raise ArchiveRefused("the key file contains no age private key (AGE-SECRET-KEY-1…)") from error
        self._file = file
        self._keys = keys

    def check(self, see: Callable[[Run], object] = lambda _run: None) -> tuple[dict[str, Any], Counter[str]]:
        """Reads the whole file; returns the header, and the number of documents per collection. `see` gets them all."""
        with _refusing_broken_documents():
            return self._check(see)

    def _check(self, see: Callable[[Run], object]) -> tuple[dict[str, Any], Counter[str]]:
        counts: Counter[str] = Counter()
        runs = self._runs()
        header = bson.decode(next(runs, _NO_RUN).documents[0])
        if header.get("portico") != "backup" or header.get("format") not in (FORMAT, UNAUTHENTICATED):
            raise ArchiveRefused("the file is not a Portico backup, or was created by a newer release")
        end: dict[str, int] | None = None
        for run in runs:
            if run.place:
                counts[run.place] += len(run.documents)
                see(run)
            else:
                end = bson.decode(run.documents[0]).get("end")
        if end != counts:
            raise ArchiveRefused("the backup is incomplete")
        return header, counts

    def runs(self) -> Iterator[Run]:
        """The documents of collections."""
        with _refusing_broken_documents():
            yield from (run for run in self._runs() if run.place)

    def _runs(self) -> Iterator[Run]:
        """Verifies the HMAC at the end of each reading, because the file may change in between."""
        macs = [hmac.new(key, digestmod="sha256") for key in self._keys or ()]
        given = b""
        with self._file.open("rb") as source:
            for written, runs in self._decrypted(source):
                if given:
                    raise ArchiveRefused("the backup has data after its end")
                authenticated = memoryview(written)
                if given := _mac_in(runs[-1]):
                    authenticated = authenticated[: -len(runs.pop().documents[0])]
                for mac in macs:
                    mac.update(authenticated)
                yield from runs
        if self._keys is not None and not any(hmac.compare_digest(mac.digest(), given) for mac in macs):
            raise ArchiveRefused("the backup was not created with a master key of this installation")

    def _decrypted(self, source: BinaryIO) -> Iterator[tuple[bytes, list[Run]]]:
        try:
            with _piped(lambda writer: pyrage.decrypt_io(source, writer, [self._key]), write=False) as pipe:
                with gzip.GzipFile(fileobj=pipe, mode="rb") as plain:
                    yield from portions(plain.read)
        except (EOFError, gzip.BadGzipFile) as error:
            raise ArchiveRefused("the backup is incomplete") from error
        except (pyrage.DecryptError, OSError) as error:  # the latter is how age reports a later part that was changed
            raise ArchiveRefused("the backup cannot be decrypted: the key is wrong, or the file was changed") from error


@contextmanager
def _refusing_broken_documents() -> Iterator[None]:
    try:
        yield
    except bson.InvalidBSON as error:
        raise ArchiveRefused("the backup is incomplete") from error


def _mac_in(run: Run) -> bytes:
    """A document in the middle of a portion with an HMAC is not the end: what follows it makes the HMAC wrong."""
    raw = run.documents[0]
    return bytes(bson.decode(raw)["mac"]) if not run.place and raw.startswith(_MAC, _LENGTH) else b""


@contextmanager
def _piped(work: Callable[[Any], object], *, write: bool) -> Iterator[Any]:
    """Runs age in a thread with a pipe, because it takes files; `write`: the caller writes and age reads."""
    reading, written = os.pipe()
    ours, theirs = (written, reading) if write else (reading, written)
    failures: list[BaseException] = []

    def run() -> None:
        try:
            with os.fdopen(theirs, "rb" if write else "wb") as end:
                work(end)
        except BaseException as error:  # also of the last part, where the caller has stopped reading
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        with os.fdopen(ours, "wb" if write else "rb") as pipe:
            yield pipe
    except Exception as error:  # ours is the consequence where age failed as well
        thread.join()
        raise (failures[0] if failures else error) from None
    thread.join()
    if failures:
        raise failures[0]
