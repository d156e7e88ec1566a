"""What came of a run, and what of it is not as it should be."""

from collections.abc import Iterator, Mapping

import msgspec

from tests.hostile_clients.attackers import Answers
from tests.hostile_clients.samples import Sample
from tests.hostile_clients.waits import Waits

MAX_WAIT_S = 2.0
"""No honest request takes longer."""
MB = 1 << 20
KEPT = Sample(
    web_memory=96 * MB,
    memory=264 * MB,  # that of the web process, and 21 MB for each of eight bots
    descriptors=64,
    processes=12,
    log_bytes=64 << 10,
    log_lines=300,
    audit_rows=2_150,
)
"""What may be there after the attack beyond what was there before it.

Of audit rows: the server writes at most 2000 refusals an hour. Of processes: a match of the ladder
and a few bots at boards. Of descriptors: those, and connections of people.
"""
AT_MOST = Sample(
    web_memory=320 * MB,
    memory=640 * MB,
    descriptors=440,
    processes=24,
    log_bytes=64 << 10,
    log_lines=300,
    audit_rows=2_150,
)
"""The same during the attack: an upload of 46 MB is there twice or more while it is read.

Of descriptors: below those that the server may have, so that its database and bots find some.
"""
ERROR = 500


class Figures(msgspec.Struct, kw_only=True):
    """What people waited for, what the server took, and what was lost."""

    minutes: float
    waits: Mapping[str, Waits]
    refused: Mapping[str, int]
    """Requests of honest people that were refused or not answered."""
    before: Sample
    most: Sample
    after: Sample
    answers: Answers
    orders: int
    """Acknowledged orders of people."""
    games: int
    matches: int
    """Results of the ladder while the server was attacked."""
    sign_ins: int
    """Of somebody whose name was attacked."""
    runs: int
    """Of a member's bot, played to their end."""
    behind: int
    """Streams that did not tell of the last order, although they were given the time."""
    lost: list[str]
    """What was acknowledged and is not there, or is there twice."""
    ended: list[str]
    """Why the run was ended before its time."""

    def complaints(self, most_wait_s: float = MAX_WAIT_S) -> list[str]:
        """Return what is not as it should be."""
        return [
            *self.ended,
            *(f"lost: {what}" for what in self.lost),
            *(
                [f"{self.behind} of the streams did not tell of the last order"]
                if self.behind
                else []
            ),
            *(f"{count} times refused: {what}" for what, count in self.refused.items()),
            *(
                f"{kind}: one took {waits.max:.2f} s, expected at most {most_wait_s} s"
                for kind, waits in self.waits.items()
                if waits.max > most_wait_s
            ),
            *_growth("after the attack", self.before, self.after, KEPT),
            *_growth("during the attack", self.before, self.most, AT_MOST),
            *(
                f"{name}: {statuses[ERROR]} answers were errors of the server"
                for name, statuses in self.answers.items()
                if ERROR in statuses
            ),
            *(
                f"no {what}"
                for what in ("orders", "matches", "sign_ins", "runs")
                if not getattr(self, what)
            ),
        ]

    def table(self) -> str:
        """Return all of it as lines."""
        return "\n".join(
            [
                *self._wait_lines(),
                "",
                *self._took(),
                "",
                *self._answer_lines(),
                "",
                *self._work_lines(),
            ]
        )

    def _wait_lines(self) -> Iterator[str]:
        yield f"{'honest requests':<24}{'count':>8}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}"
        for kind, waits in self.waits.items():
            times = "".join(f"{1_000 * s:>9.0f}" for s in (waits.p50, waits.p95, waits.max))
            yield f"{kind:<24}{waits.count:>8}{times}"

    def _took(self) -> Iterator[str]:
        yield f"{'the server':<24}{'before':>12}{'most':>12}{'after':>12}"
        for name in Sample.__struct_fields__:
            values = [getattr(sample, name) for sample in (self.before, self.most, self.after)]
            shown = [f"{value / MB:.0f} MB" if "memory" in name else str(value) for value in values]
            yield f"{name.replace('_', ' '):<24}" + "".join(f"{value:>12}" for value in shown)

    def _answer_lines(self) -> Iterator[str]:
        yield f"{'attack':<24}answers by status (0: none)"
        for name, statuses in self.answers.items():
            shown = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
            yield f"{name:<24}{shown}"

    def _work_lines(self) -> Iterator[str]:
        yield f"{'minutes':<24}{self.minutes:.1f}"
        yield f"{'orders acknowledged':<24}{self.orders} in {self.games} games"
        yield f"{'ladder results':<24}{self.matches}"
        yield f"{'signed in':<24}{self.sign_ins} times, while others guessed the password"
        yield f"{'runs of a bot':<24}{self.runs}, while guests asked for many"
        refused = ", ".join(f"{what} ({count} times)" for what, count in self.refused.items())
        yield f"{'honest and refused':<24}{refused or 'nothing'}"
        yield f"{'lost or doubled':<24}{'; '.join(self.lost) or 'nothing'}"


def _growth(when: str, before: Sample, then: Sample, allowed: Sample) -> Iterator[str]:
    for name in Sample.__struct_fields__:
        grown, most = getattr(then, name) - getattr(before, name), getattr(allowed, name)
        if grown > most:
            yield f"{when} {name.replace('_', ' ')}: {grown} more, expected at most {most}"
