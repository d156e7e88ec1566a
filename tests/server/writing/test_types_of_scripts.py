"""What the scripts of /write say that the server sends is what it sends."""

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import fields

from runners.configuration import HOME
from server.runs.author_notes import FaultValue, NotesAnswer, RunFault, RunLog
from server.runs.run_pages import RunAnswer
from server.writing import bodies, courses, draft_series, reference
from tests.cases import for_each

TYPES = HOME / "web" / "write" / "types.d.ts"
INTERFACE = re.compile(r"export interface (?P<name>\w+) \{\n(?P<body>.*?)\n\}", re.DOTALL)
FIELD = re.compile(r"^  (?P<name>\w+): (?P<type>.*);$", re.MULTILINE)
SENT: Mapping[str, type[Struct]] = {
    "DraftFile": bodies.DraftFile,
    "Version": bodies.DraftVersion,
    "Draft": bodies.DraftAnswer,
    "DraftLine": bodies.DraftLine,
    "Template": bodies.OfferedTemplate,
    "Workbench": bodies.DraftList,
    "Finding": bodies.DraftFinding,
    "Opponent": bodies.OfferedRival,
    "Opponents": bodies.Rivals,
    "Run": RunAnswer,
    "Fault": RunFault,
    "LogLine": RunLog,
    "RunNotes": NotesAnswer,
    "Versus": draft_series.SeriesAnswer,
    "ApiEntry": reference.ReferenceEntry,
    "Example": reference.Example,
    "WritingHelp": reference.Reference,
    "CourseStep": courses.ShownStep,
    "CourseAnswer": courses.CourseAnswer,
    "TryAnswer": courses.TryAnswer,
    "Learner": courses.Learner,
}


def declared_fields() -> Mapping[str, Mapping[str, str]]:
    """Return the fields of each interface, with their types."""
    return {
        found["name"]: {one["name"]: one["type"] for one in FIELD.finditer(found["body"])}
        for found in INTERFACE.finditer(TYPES.read_text(encoding="utf-8"))
    }


@for_each("name", SENT)
def test_a_type_has_only_fields_that_are_sent(name: str) -> None:
    sent = {one.encode_name: one.type for one in fields(SENT[name])}
    for field, type_text in declared_fields()[name].items():
        assert field in sent
        can_be_null = type(None) in getattr(sent[field], "__args__", ())
        assert ("null" in type_text) == can_be_null, field


def test_a_value_of_a_fault_has_a_name_and_a_value() -> None:
    assert [one.encode_name for one in fields(FaultValue)] == ["name", "value"]
    assert declared_fields()["Fault"]["values"] == "{ name: string; value: string }[]"
