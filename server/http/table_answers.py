"""Tables that are downloaded: CSV, also for spreadsheets, and JSON."""

import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterable
from pathlib import Path

from starlette.responses import Response

from report.files import Row, write_table
from server.http.page_requests import PageRequest

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
"""The kinds of files, and their media types."""
FOR_SPREADSHEETS = "spreadsheet"
"""A parameter of the address of a CSV file, which then has a byte order mark: spreadsheets know by
it that it is UTF-8, and scripts would take it for a part of the first title."""


def table_answer(request: PageRequest, name: str, kind: str, rows: Iterable[Row]) -> Response:
    """Return a table as a file to download; `kind`: one of MEDIA."""
    with tempfile.TemporaryDirectory(prefix="slime-mind-") as folder:
        write_table(Path(folder), name, rows)
        content = (Path(folder) / f"{name}.{kind}").read_bytes()
    if kind == "csv" and FOR_SPREADSHEETS in request.query_params:
        content = BOM_UTF8 + content
    headers = {
        "content-disposition": f'attachment; filename="{name}.{kind}"',
        "cache-control": "no-store",
    }
    return Response(content, media_type=MEDIA_TYPES[kind], headers=headers)
