"""What finds out about bots at once, for tests of what comes of it."""

import re
from collections.abc import Sequence

from engine.bots.finding import Packed
from engine.referee import Job
from server.bots.examining import BotExaminer, Finding

GOOD = Finding(is_good=True, words="as it should be")
BAD = re.compile(rb"# refused: (.+)")


class ExaminedAtOnce(BotExaminer):
    """In place of a process: refuses bots whose source says `# refused: WHY`, and no others."""

    def __init__(self) -> None:
        """Begin no process."""

    def source(self, packed: Packed, packages: Sequence[str]) -> Finding:
        flaw = BAD.search(b"\n".join(packed.files.values()))
        return Finding(is_good=False, words=flaw[1].decode()) if flaw else GOOD

    def loading(self, job: Job) -> Finding:
        return GOOD

    def first_decision(self, job: Job) -> Finding:
        return GOOD

    def first_match(self, job: Job) -> Finding:
        return GOOD

    def terminate(self) -> None: ...
    def restart(self) -> None: ...
    def close(self) -> None: ...
