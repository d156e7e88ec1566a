"""Zips that are made of the same files to the byte, whenever and wherever."""

import io
import zipfile
from collections.abc import Mapping

TIME = (2000, 1, 1, 0, 0, 0)
"""The time of all files."""
MODE = 0o100644 << 16


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of these files, in order of their names."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = MODE
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED)
    return content.getvalue()
