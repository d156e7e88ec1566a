"""The commands we print for users to type: as they called us, where they called us."""

import shlex
from pathlib import Path

import msgspec

from runners.configuration import DEFAULT_OUT


class Commands(msgspec.Struct, frozen=True, kw_only=True):
    """`main.py` and `replay.py` as they are typed here."""

    main: str = "python3 main.py"
    replay: str = "python3 replay.py"
    out: Path = DEFAULT_OUT

    def again(self, key: str) -> str:
        """Plays a recorded match once more."""
        where = "" if self.out == DEFAULT_OUT else f" --out {shlex.quote(str(self.out))}"
        return f"{self.main}{where} --match {key}"

    def watch(self, replay: str) -> str:
        """Shows a recorded match."""
        return f"{self.replay} {shlex.quote(replay)}"


def commands_for(started: str, out: Path) -> Commands:
    """`started` is the program as it was called: `main.py`, a path to it, or `slime-mind`."""
    program = Path(started)
    if program.suffix != ".py":
        return Commands(main="slime-mind", replay="slime-mind-replay", out=out)
    main, replay = (
        f"python3 {shlex.quote(str(program.with_name(name)))}" for name in ("main.py", "replay.py")
    )
    return Commands(main=main, replay=replay, out=out)
