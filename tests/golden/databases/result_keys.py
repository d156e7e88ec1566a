"""Reads what folders of results say of their matches, without a database."""

import tarfile
from collections.abc import Iterator
from pathlib import Path

import msgspec


class RecordedResult(msgspec.Struct):
    """A match as its folder has it: the spec as it was written, and the key it had."""

    key: str
    spec: msgspec.Raw


def results_in(archive: Path) -> Iterator[RecordedResult]:
    """Yield all of an archive."""
    with tarfile.open(archive) as tar:
        for entry in tar:
            file = tar.extractfile(entry) if entry.name.endswith("match.json") else None
            if file is not None:
                yield msgspec.json.decode(file.read(), type=RecordedResult)
