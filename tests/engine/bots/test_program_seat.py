"""A program at its seat: what it is told, what it answers, and what is said of its mistakes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.channel import PollChannel
from engine.bots.forking import ForkLauncher
from engine.bots.programs import languages
from engine.bots.programs.builds import Builds
from engine.bots.programs.seat import ProgramSeat
from engine.errors import UsageError
from engine.fault import Cause, Fault
from engine.games.slime_mind.events import Moved
from engine.limits import Limits
from tests import needs
from tests.engine.bots.matches import LENIENT, QUICK, Table, a_bot, a_job
from tests.engine.bots.programs import a_program, bad_program

pytestmark = needs.program("perl")

HELLO = '{"type":"hello","protocol":1}'
PERL = r"""
$| = 1;
print '%s', "\n";
my $start = <STDIN>;
print "{\"type\":\"ready\"}\n";
while (my $line = <STDIN>) {
    my ($nonce) = $line =~ /"nonce":(\d+)/;
    %s
}
sub answer { print "{\"type\":\"answer\",\"nonce\":$_[0],\"answer\":\"$_[1]\"}\n" }
"""
Seat = Callable[..., Table]


@pytest.fixture
def seat(tmp_path: Path, launcher: ForkLauncher) -> Seat:
    """Return how a program is seated: by its folder, or by the lines of Perl that answer."""

    def sit(what: str | Path, *, hello: str = HELLO, limits: Limits = LENIENT) -> Table:
        bot = what
        if isinstance(bot, str):
            files = {"bot.pl": PERL % (hello, bot)}
            bot = a_program(tmp_path / "player_perl", ["perl", "bot.pl"], files)
        table = Table(launcher, bot, limits=limits)
        table.seat = ProgramSeat(table.config, launcher, Builds(tmp_path / "built"))
        table.seat.prepare(table.board)
        return table

    return sit


def as_fault(answer: object) -> Fault:
    assert isinstance(answer, Fault), answer
    return answer


def test_a_program_answers_and_prints_to_its_log(seat: Seat) -> None:
    table = seat('print STDERR "thinking\\n"; answer($nonce, "LEFT");')
    assert [table.ask(), table.ask()] == ["LEFT", "LEFT"]
    table.seat.close()
    assert table.log.read_text() == "thinking\nthinking\n"


def test_an_ask_has_the_whole_state_or_the_events_since_the_last_one(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    send = PollChannel.send

    def note(channel: PollChannel, line: bytes, timeout_ms: float) -> bool:
        sent.append(msgspec.json.decode(line))
        return send(channel, line, timeout_ms)

    monkeypatch.setattr(PollChannel, "send", note)
    events = '{"type":"hello","protocol":1,"wants":"events"}'
    for hello in (HELLO, events):
        table = seat('answer($nonce, "LEFT");', hello=hello)
        table.ask()
        table.happen(Moved(table.slime.id, 3, 3))
        table.ask()
        table.seat.close()
    asks = [message for message in sent if message.get("type") == "ask"]
    place = msgspec.to_builtins(table.board.slimes[table.slime.id])
    whole, folded = asks[:2], asks[2:]
    assert whole[1]["state"]["slimes"][str(table.slime.id)] == place
    assert [ask["events"] for ask in folded] == [[], [["moved", table.slime.id, 3, 3]]]
    start = next(message for message in sent if message.get("type") == "start")
    assert (start["protocol"], start["game"], start["team"]) == (1, "slime_mind", 1)
    assert start["limits"]["cpu_ms"] == LENIENT.cpu_ms


def test_an_error_that_a_program_reports_costs_one_decision(seat: Seat) -> None:
    table = seat(
        "if (!$asked++) { "
        'print "{\\"type\\":\\"failed\\",\\"nonce\\":$nonce,\\"error\\":\\"oh\\"}\\n" } '
        'else { answer($nonce, "UP") }'
    )
    assert table.ask() == Fault(Cause.EXCEPTION, "oh")
    assert table.ask() == "UP"
    assert table.seat.restarts == 0


@pytest.mark.parametrize(
    ("hello", "restarts", "then"), [("signal", 0, "UP"), ("line", 1, "LEFT"), ("none", 1, "LEFT")]
)
def test_a_program_that_minds_interrupts_keeps_its_memory(
    seat: Seat, hello: str, restarts: int, then: str
) -> None:
    table = seat(
        "$SIG{USR1} = sub { $stop = 1 }; if ($line =~ /interrupt/) { next }\n"
        'if (!$asked++ && !-e "/nonexistent") { $stop = 0; 1 until $stop; }\n'
        'answer($nonce, $asked > 1 ? "UP" : "LEFT");',
        hello=f'{{"type":"hello","protocol":1,"interrupts":"{hello}"}}',
        limits=msgspec.structs.replace(QUICK, load_ms=5_000),
    )
    assert table.cause() is Cause.TIMEOUT
    assert table.seat.restarts == restarts
    if not restarts:
        assert table.ask() == then
    table.seat.close()


WORDS = {
    "writes_a_banner at once": (Cause.UNREADABLE, "'Welcome to my bot!", "print to standard error"),
    "exits at once": (Cause.EXIT, "exit code 7", "its log says: no more ideas"),
    "forks": (Cause.FORBIDDEN, "it tried to start another process", "a bot is one process"),
    "writes_a_banner": (Cause.UNREADABLE, "'Welcome to my bot!", "print to standard error"),
    "answers_twice": (Cause.UNREADABLE, "2 lines where one was expected", '"answer":"LEFT"}'),
    "answers_half_a_line": (
        Cause.SLEPT,
        """half a line was received: '{"type":"answ'""",
        "newline",
    ),
    "answers_half_and_exits": (Cause.EXIT, "exit code 3", """after half a line: '{"type":"answ'"""),
    "keeps_its_answers": (Cause.SLEPT, "nothing was received", "flush standard output"),
    "answers_100_mb": (Cause.UNREADABLE, "a line of over 6144 bytes", "it begins"),
    "answers_terminal_codes": (Cause.UNREADABLE, r"'\x1b[31m", "print to standard error"),
}


@needs.COMPILER
@pytest.mark.parametrize("name", WORDS)
def test_a_mistake_is_named_in_its_authors_words_with_the_line(name: str, seat: Seat) -> None:
    limits = msgspec.structs.replace(LENIENT, wall_ms=150)
    fault = as_fault(seat(bad_program(f"c:{name}"), limits=limits).ask())
    cause, *words = WORDS[name]
    assert fault.cause is cause
    for part in words:
        assert part in fault.detail
    assert fault.detail.isprintable()


def test_an_answer_to_another_ask_is_named_with_both_nonces(seat: Seat) -> None:
    fault = as_fault(seat('answer(7, "LEFT");').ask())
    assert fault.cause is Cause.UNREADABLE
    assert fault.detail.startswith("an answer with the nonce 7, where ")
    assert '{"type":"answer","nonce":7,"answer":"LEFT"}' in fault.detail


def test_buffered_output_is_recognized_while_loading(seat: Seat, tmp_path: Path) -> None:
    silent = a_program(tmp_path / "player_silent", ["perl", "bot.pl"], {"bot.pl": "sleep 9;"})
    limits = msgspec.structs.replace(LENIENT, load_ms=100)
    fault = as_fault(seat(silent, limits=limits).ask())
    assert fault.cause is Cause.LOAD_TIMEOUT
    assert fault.detail.endswith("nothing was received: flush standard output after every line")


@pytest.mark.parametrize(
    ("manifest", "cause", "text"),
    [
        ('game = "smack"\nrun = ["perl", "bot.pl"]', Cause.WRONG_TYPE, "it plays smack, and this"),
        ('game = "slime_mind"\nrun = ["./bot.pl"]', Cause.LOAD_ERROR, "name the interpreter first"),
        ('game = "slime_mind"\nrun = ["./none"]', Cause.BUILD_ERROR, "there is no such file"),
        ('game = "slime_mind"\nrun = ["perk"]', Cause.BUILD_ERROR, "did you mean 'perl'"),
        ('game = "slime_mind"\nrun = ["bash"]', Cause.BUILD_ERROR, "installed and allowed here"),
        ('game = "slime_mind"\nrun = ["/bin/ls"]', Cause.BUILD_ERROR, "expected './FILE'"),
        ('game = "slime_mind"\nrun = ["./../x"]', Cause.BUILD_ERROR, "run begins with './../x'"),
        ('game = "slime_mind"\nrum = []', Cause.BUILD_ERROR, "contains unknown field `rum`"),
        ("game =", Cause.BUILD_ERROR, "bot.toml: Invalid value (at line 2"),
    ],
)
def test_a_bad_manifest_says_what_to_do(
    manifest: str, cause: Cause, text: str, seat: Seat, tmp_path: Path
) -> None:
    bot = a_program(tmp_path / "player_bad", ["./x"], {"bot.pl": "#!/usr/bin/perl\n"})
    (bot / "bot.toml").write_text(f'name = "bad"\n{manifest}\n')
    fault = as_fault(seat(bot).ask())
    assert (fault.cause, text in fault.detail) == (cause, True), fault


def test_another_version_of_the_protocol_is_refused(seat: Seat) -> None:
    fault = as_fault(seat("", hello='{"type":"hello","protocol":2}').ask())
    assert fault.detail == "it speaks version 2 of the protocol, and this is 1"


def test_an_organizer_names_the_runtimes(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "languages.toml"
    file.write_text('own_programs = false\n[runtimes.lua]\nprogram = "/bin/true"\n')
    monkeypatch.setenv(languages.LANGUAGES_VARIABLE, str(file))
    fault = as_fault(seat("").ask())
    assert fault.detail == (
        "'perl' is not a runtime that is installed and allowed here; there are: lua"
    )


def test_a_runtime_that_is_not_there_is_an_error_of_the_organizers_file(tmp_path: Path) -> None:
    file = tmp_path / "languages.toml"
    file.write_text('[runtimes.lua]\nprogram = "lua"\n')
    with pytest.raises(UsageError, match="lua: 'lua' is not a program; expected an absolute path"):
        languages.read_languages(file)


def test_a_program_is_not_played_in_process(tmp_path: Path) -> None:
    from engine.referee import Referee

    files = {"bot.pl": PERL % (HELLO, "")}
    bot = a_program(tmp_path / "player_perl", ["perl", "bot.pl"], files)
    job = a_job(tmp_path / "out", bot, a_bot(tmp_path, 'return "LEFT"'), in_process=True)
    with pytest.raises(UsageError, match="player_perl is a program: --in-process, profile"):
        Referee(tmp_path / "out").play(job)


BUILT = '\nbuild = ["cc", "-o", "bot", "bot.c"]\n'


@needs.COMPILER
def test_a_build_that_fails_says_which_line_and_leaves_its_output_in_the_log(
    seat: Seat, tmp_path: Path
) -> None:
    bot = a_program(
        tmp_path / "player_c", ["./bot"], {"bot.c": "int main( {\n#error \x1b[31mred\n"}, BUILT
    )
    table = seat(bot)
    fault = as_fault(table.ask())
    assert fault.cause is Cause.BUILD_ERROR
    assert fault.detail.startswith("cc ended with exit code 1: bot.c:1:11: error:")
    log = table.log.read_text()
    assert "bot.c:1:11: error:" in log
    assert "\x1b" not in log
    assert list((tmp_path / "built").glob("[0-9a-f]*")) == []


@needs.COMPILER
def test_a_build_is_done_once_per_digest_and_what_changed_it_is_noticed(
    seat: Seat, tmp_path: Path
) -> None:
    source = 'int puts(const char*); int main() { puts("{}"); }'
    bot = a_program(tmp_path / "player_c", ["./bot"], {"bot.c": source}, BUILT)
    for _ in range(2):
        assert as_fault(seat(bot).ask()).cause is Cause.UNREADABLE
    (home,) = (tmp_path / "built").glob("[0-9a-f]*")
    made = (home / "bot" / "bot").stat().st_mtime_ns
    (home / "bot" / "bot.c").write_text("changed")
    with pytest.raises(UsageError, match="was changed since it was built"):
        seat(bot).ask()
    assert (home / "bot" / "bot").stat().st_mtime_ns == made


@needs.COMPILER
def test_a_build_reads_no_other_files_and_has_no_network(seat: Seat, tmp_path: Path) -> None:
    secret = tmp_path / "secret.h"
    secret.write_text("#error read\n")
    for name in ("/etc/passwd", str(secret)):
        source = f'#include "{name}"\nint main() {{ return 0; }}\n'
        bot = a_program(tmp_path / "player_spy", ["./bot"], {"bot.c": source}, BUILT)
        assert "Permission denied" in as_fault(seat(bot).ask()).detail


MAKE = '\nbuild = ["make"]\n'


@needs.COMPILER
@needs.program("make")
def test_make_runs_its_recipes_without_any_rights(seat: Seat, tmp_path: Path) -> None:
    makefile = """
bot: bot.c
\t@grep -E "Cap(Inh|Prm|Eff)" /proc/$$PPID/status
\t@cc -o $@ $< && echo made
"""
    source = 'int puts(const char*); int main() { puts("{}"); }'
    files = {"bot.c": source, "Makefile": makefile}
    bot = a_program(tmp_path / "player_make", ["./bot"], files, MAKE)
    assert as_fault(seat(bot).ask()).cause is Cause.UNREADABLE  # it was built, and says nonsense
    (log,) = (tmp_path / "built").glob("*/build.log")
    *rights, last = log.read_text().splitlines()
    assert {line.split()[1] for line in rights} == {"0" * 16}
    assert last == "made"


@needs.COMPILER
@needs.program("make")
@pytest.mark.parametrize(
    "making", ["mkdir -p $$(seq 1 600)", "for i in $$(seq 1 600); do : > file$$i; done"]
)
def test_a_build_that_makes_too_many_files_is_refused(
    seat: Seat, tmp_path: Path, making: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.bots.programs.building.MAX_FILES", 500)
    files = {"Makefile": f"bot:\n\t@{making}\n"}
    bot = a_program(tmp_path / "player_many", ["./bot"], files, MAKE)
    fault = as_fault(seat(bot).ask())
    assert (fault.cause, fault.detail) == (
        Cause.BUILD_ERROR,
        "its build makes more than 500 files and folders",
    )
