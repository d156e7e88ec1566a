"""Checks, runs and tries of courses: whom a draft can play, and what the page asks meanwhile."""

import asyncio
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from engine.catalog import describe_game, find_game
from engine.errors import BadBot, BadReplay, UsageError
from engine.replays.reading import Replay
from engine.streams import parse_seed
from engine.support.fair_queue import Priority
from engine.support.process_pool import ProcessLost
from runners.match_request import MatchRequest
from runners.starter_bots import starter_bots
from server.bots.uploads import BadUpload, main_file
from server.games.new_games import LADDER, Opponents
from server.http.errors import Denied, TooMany
from server.http.limits import ConcurrencyLimit
from server.http.openapi import Operation
from server.http.permissions import Permission
from server.http.responses import JSON, Empty, encode, json_response
from server.identity.rate_limits import Asker
from server.identity.text_limits import parse_whole_number
from server.runs.author_notes import NotesAnswer, read_notes_answer
from server.runs.run_pages import RUN_GONE, RunAnswer, make_run_answer
from server.runs.run_rows import OPEN, Run, State
from server.runs.runs import Draft as PlayedDraft
from server.runs.runs import Opponent, Restart, Runs
from server.writing.bodies import (
    CheckedDraft,
    CourseTry,
    DraftFinding,
    NotesQuery,
    NotRun,
    OfferedRival,
    OpponentKind,
    Rivals,
    RunBody,
    Severity,
)
from server.writing.checks import (
    PlannedCheck,
    findings_in_source,
    plan_check,
    play_planned,
    quick_presets,
)
from server.writing.courses import (
    COURSE_SEED,
    CourseAnswer,
    CourseProgress,
    Learners,
    Step,
    TryAnswer,
    TryBody,
    evaluate_goals,
    load_steps,
)
from server.writing.draft_files import upload
from server.writing.draft_series import DraftSeries, SeriesAnswer, SeriesBody, SeriesMade
from server.writing.drafts import Draft, Drafts
from server.writing.writers import (
    CHANGE_REFUSALS,
    OWN_REFUSALS,
    DraftAccess,
    make_asker,
    unprocessable_error,
)

VERSION_PREFIX = "version/"
"""What stands before the number of an own version, where a run names it."""


class DraftOpponents:
    """Knows by a name, as offered, what is played against. May be used from any thread."""

    def __init__(self, drafts: Drafts, opponents: Opponents) -> None:
        self._drafts = drafts
        self._opponents = opponents

    def list_opponents(self, draft: Draft) -> list[OfferedRival]:
        order = starter_bots(draft.game)
        descriptions = {one.value: one.words for one in self._opponents.list_opponents(draft.game)}
        return [
            *(
                OfferedRival(
                    id=name,
                    name=descriptions[name].partition(":")[0],
                    kind=OpponentKind.STARTER,
                    strength=number,
                )
                for number, name in enumerate(order, 1)
                if name in descriptions
            ),
            *(
                OfferedRival(id=one.value, name=one.words, kind=OpponentKind.LADDER, strength=None)
                for one in self._opponents.ladder_bots(draft.game)
            ),
            *(
                OfferedRival(
                    id=f"{VERSION_PREFIX}{one.number}",
                    name=f"version {one.number}" + (f": {one.note}" if one.note else ""),
                    kind=OpponentKind.VERSION,
                    strength=None,
                )
                for one in self._drafts.find_versions(draft.id)
                if one.digest
            ),
        ]

    def find_opponent(self, draft: Draft, name: str) -> Opponent:
        """Return an opponent. Raises: BadBot, EngineFailure."""
        if name.startswith(VERSION_PREFIX):
            return self._find_version(draft, name.removeprefix(VERSION_PREFIX))
        if not name.startswith(LADDER) and name not in starter_bots(draft.game):
            raise BadBot(f"there is no opponent {name!r:.60}: choose one of those that are offered")
        seat = self._opponents.seat(draft.game, name)
        # Only the rules of a game with designs disclose source.
        has_source = name.startswith(LADDER) and find_game(draft.game).has_designs
        return Opponent(seat.name, seat.digest, is_confidential=has_source)

    def _find_version(self, draft: Draft, said: str) -> Opponent:
        """Raises: BadBot."""
        number = parse_whole_number(said)
        files = None if number is None else self._drafts.load_version(draft.id, number)
        if files is None:
            raise BadBot(f"there is no version {said:.20} of this draft")
        try:
            packed = upload(files).packed
        except BadUpload as error:
            raise BadBot(f"version {said}: {error}") from error
        name = f"{draft.name} v{said}"
        return Opponent(name, packed.digest, is_confidential=False, packed=packed)


MAX_CHECKS, CHECKS_OF_ADDRESS = 100, 20
"""Checks that are not over, those of guests half of them at most; and those of one address."""
CHECK_S = 90.0
"""A check is waited for so long: many may wait before it."""
RETRY_S = 10.0
OWN_CHECK = "a check of yours is not over yet: wait until it is"
PLAYED_ELSEWHERE = "another process of this server plays it: it ends by itself"
NOT_RUN = "this bot cannot be played as it is: see what was found"


class Running:
    """Lets authors check and run their drafts, and try the steps of courses with them."""

    def __init__(
        self,
        access: DraftAccess,
        opponents: DraftOpponents,
        runs: Runs,
        series: DraftSeries,
        progress: CourseProgress,
    ) -> None:
        self._access = access
        self._progress = progress
        self._opponents = opponents
        self._runs = runs
        self._series = series
        self._checking = ConcurrencyLimit(MAX_CHECKS, 1, CHECKS_OF_ADDRESS, OWN_CHECK, RETRY_S)

    @property
    def operations(self) -> Sequence[Operation]:
        of_draft = partial(Operation, refusals=CHANGE_REFUSALS)
        of_run = partial(Operation, refusals=OWN_REFUSALS)
        stopping = partial(Operation, refusals=(*OWN_REFUSALS, HTTPStatus.CONFLICT))
        of_organizer = partial(of_run, permission=Permission.ORGANIZER)
        course = "/courses/{board}"
        return [
            of_draft("POST", "/drafts/{draft}/check", self._check, CheckedDraft),
            of_run("GET", "/drafts/{draft}/opponents", self._rivals, Rivals),
            of_draft("POST", "/drafts/{draft}/runs", self._run_draft, RunAnswer, RunBody),
            of_run("GET", "/runs/{run}/notes", self._notes, NotesAnswer, query=NotesQuery),
            stopping("DELETE", "/runs/{run}", self._stop_run, Empty),
            of_draft("POST", "/drafts/{draft}/versus", self._begin_series, SeriesMade, SeriesBody),
            of_run("GET", "/versus/{series}", self._series_state, SeriesAnswer),
            stopping("DELETE", "/versus/{series}", self._stop_series, Empty),
            Operation("GET", course, self._course, CourseAnswer),
            of_draft("POST", f"{course}/steps/{{step}}/try", self._try_step, CourseTry, TryBody),
            of_run("GET", f"{course}/tries/{{run}}", self._tried, TryAnswer),
            of_organizer("GET", f"{course}/people", self._learners, Learners),
        ]

    # -- API ------------------------------------------------------------------------------------

    def _rivals(self, request: Request) -> Rivals:
        """Return what a draft can be played against."""
        draft = self._access.require_draft(request)
        self._runs.warm_up()
        return Rivals(
            opponents=self._opponents.list_opponents(draft), presets=quick_presets(draft.game)
        )

    async def _check(self, request: Request) -> Response:
        """Check a draft: its source, and how it plays the beginning of a few matches."""
        draft = await run_in_threadpool(self._access.require_draft, request)
        by = make_asker(request, draft.owner)
        self._access.limits.count("check", by)
        self._checking.acquire(by)
        try:
            return json_response(await self._check_draft(draft, by))
        finally:
            self._checking.release(by)

    def _run_draft(self, request: Request, body: RunBody) -> Response:
        """Begin a run of a draft, to be watched at once."""
        draft = self._access.require_draft(request)
        by = make_asker(request, draft.owner)
        not_run = self._why_not_run(draft, by)
        if not_run is not None:
            return not_run
        played = make_played_draft(draft)
        try:
            if body.after is not None:
                run = self._run_again(draft, played, body, by)
            else:
                opponent = self._opponents.find_opponent(draft, body.opponent)
                wanted = _make_match_request(draft, body.preset, body.seed)
                run = self._runs.start_run(played, [opponent], wanted, by)
        except (UsageError, BadReplay, ValueError) as error:
            raise unprocessable_error(str(error)) from error
        return json_response(make_run_answer(run, self._runs))

    def _notes(self, request: Request, query: NotesQuery) -> NotesAnswer:
        """Return what the author of a draft is told of its run, as far as it was played."""
        run = self._find_run(request)
        is_over = run.state not in OPEN  # asked first: then nothing more is written
        return read_notes_answer(
            self._runs.load_notes(run), query.start, run.main, run.cpu_limit_ms, is_over=is_over
        )

    def _stop_run(self, request: Request) -> None:
        """Stop a run; what was played of it stays to be looked at."""
        run = self._find_run(request)
        self._runs.stop(run)
        found = self._runs.find(run.id)
        if found is not None and found.state in OPEN:
            raise Denied(HTTPStatus.CONFLICT, PLAYED_ELSEWHERE)

    def _begin_series(self, request: Request, body: SeriesBody) -> SeriesMade | Response:
        """Begin a series of a draft, which shows whether it is better."""
        draft = self._access.require_draft(request)
        by = make_asker(request, draft.owner)
        not_run = self._why_not_run(draft, by)
        if not_run is not None:
            return not_run
        try:
            opponent = self._opponents.find_opponent(draft, body.against)
            wanted = _make_match_request(draft, body.preset, "")
            played = make_played_draft(draft)
            series = self._series.start_series(played, opponent, wanted, by, body.games)
        except (UsageError, ValueError) as error:
            raise unprocessable_error(str(error)) from error
        return SeriesMade(series.id)

    def _series_state(self, request: Request) -> SeriesAnswer:
        """Return how a series of a draft stands."""
        series = self._series.find(request.path_params["series"])
        if series is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such series of yours")
        self._access.find_draft(request, series.draft)
        return series

    def _stop_series(self, request: Request) -> None:
        """Stop a series; what was played of it counts."""
        series = self._series_state(request)
        self._series.stop(series.id)
        found = self._series.find(series.id)
        if found is not None and found.state in OPEN:
            raise Denied(HTTPStatus.CONFLICT, PLAYED_ELSEWHERE)

    def _course(self, request: Request) -> CourseAnswer:
        """Return the steps of a course, and how far whoever asks has come."""
        game = _require_course(request)
        return self._progress.answer(self._access.find_owner(request), game)

    def _try_step(self, request: Request, body: TryBody) -> Response:
        """Begin the match of a step with a draft of one's own."""
        game = _require_course(request)
        number = parse_whole_number(request.path_params["step"]) or 0
        step = _find_step(game, number)
        draft = self._access.find_draft(request, body.draft)
        if draft.game != game:
            raise unprocessable_error(f"this draft plays another game than {game}")
        return self._start_try(draft, number, step, make_asker(request, draft.owner))

    def _tried(self, request: Request) -> TryAnswer:
        """Return what came of a try."""
        game = _require_course(request)
        run = self._runs.find(request.path_params["run"])
        if run is None or not run.draft or run.game != game or not run.course_step:
            raise Denied(HTTPStatus.NOT_FOUND, RUN_GONE)
        owner = self._access.find_draft(request, run.draft).owner
        goals = []
        if run.state is State.OVER and self._runs.replay(run).exists():
            step = _find_step(game, run.course_step)
            goals = evaluate_goals(step, Replay(self._runs.replay(run)))
        is_done = bool(goals) and all(goal.is_met for goal in goals)
        if is_done:
            self._progress.note_done(owner, game, run.course_step)
        return TryAnswer(
            run=run.id,
            step=run.course_step,
            is_over=run.state not in OPEN,
            is_done=is_done,
            goals=goals,
            words=run.words,
            next=self._progress.answer(owner, game).next,
        )

    def _learners(self, request: Request) -> Learners:
        """Return who has come how far in a course, to organizers."""
        return self._progress.find_learners(_require_course(request))

    # -- details --------------------------------------------------------------------------------

    def _find_run(self, request: Request) -> Run:
        """Return the run of a draft of whoever asks that a path names. Raises: Denied."""
        run = self._runs.find(request.path_params["run"])
        if run is None or not run.draft:
            raise Denied(HTTPStatus.NOT_FOUND, RUN_GONE)
        self._access.find_draft(request, run.draft)
        return run

    def _why_not_run(self, draft: Draft, by: Asker) -> Response | None:
        """Count a run; return the answer where the source is not in order. Raises: Denied."""
        self._access.limits.count("run", by)
        found = findings_in_source(draft.files)
        return _not_run(found) if found else None

    async def _check_draft(self, draft: Draft, by: Asker) -> CheckedDraft:
        """Raises: Denied, TooMany."""
        found = await run_in_threadpool(findings_in_source, draft.files)
        if found:
            return CheckedDraft(is_ok=False, findings=found)
        digest = upload(draft.files).packed.digest
        self._runs.hold([digest])
        try:
            planned = await run_in_threadpool(
                plan_check, draft, self._runs.folder, self._runs.level
            )
            findings = await self._play_check(planned, by)
        except UsageError as error:
            raise unprocessable_error(str(error)) from error
        finally:
            await run_in_threadpool(self._runs.release, [digest])
        is_ok = all(one.severity is not Severity.ERROR for one in findings)
        return CheckedDraft(is_ok=is_ok, findings=findings)

    async def _play_check(self, planned: PlannedCheck, by: Asker) -> list[DraftFinding]:
        """Raises: Denied, TooMany, UsageError."""
        self._runs.hold(planned.digests)
        future = self._runs.do(by, Priority.WAITED_FOR, play_planned, planned)
        try:
            # No thread waits: they answer others meanwhile.
            return await asyncio.wait_for(asyncio.wrap_future(future), CHECK_S)
        except TimeoutError as error:
            self._runs.give_up(future)
            text = "many matches wait already: please check it again in a moment"
            raise TooMany(text, RETRY_S) from error
        except ProcessLost as error:
            raise unprocessable_error(
                "the check was lost, which says nothing against your bot"
            ) from error
        finally:
            await run_in_threadpool(self._runs.release, planned.digests)

    def _run_again(self, draft: Draft, played: PlayedDraft, body: RunBody, by: Asker) -> Run:
        """Begin a run from a turn of another one. Raises: Denied, TooMany, SlimeMindError."""
        assert body.after is not None
        former = self._runs.find(body.after.run)
        if former is None or former.draft != draft.id:
            raise Denied(HTTPStatus.NOT_FOUND, RUN_GONE)
        if former.state in OPEN or not self._runs.replay(former).exists():
            raise unprocessable_error("a run goes on from one that was played to its end")
        last = Replay(self._runs.replay(former)).last_turn
        if body.after.turn > last:
            raise unprocessable_error(f"turn {body.after.turn}: that run has turns 1 to {last}")
        others = [
            Opponent(name, digest, is_confidential=former.is_confidential, is_here=True)
            for name, digest in list(zip(former.names, former.digests, strict=True))[1:]
        ]
        request = MatchRequest(game=draft.game)
        restart = Restart(run=former, turn=body.after.turn)
        return self._runs.start_run(played, others, request, by, restart)

    def _start_try(self, draft: Draft, number: int, step: Step, by: Asker) -> Response:
        """Raises: Denied, TooMany."""
        not_run = self._why_not_run(draft, by)
        if not_run is not None:
            return not_run
        asked = MatchRequest(
            game=draft.game,
            preset=describe_game(draft.game).short_preset,
            settings=step.settings,
            seed=COURSE_SEED,
        )
        try:
            opponent = self._opponents.find_opponent(draft, step.opponent)
            run = self._runs.start_run(make_played_draft(draft, number), [opponent], asked, by)
        except UsageError as error:
            raise unprocessable_error(str(error)) from error
        self._progress.count_try(draft.owner, draft.game, number)
        return json_response(CourseTry(run=make_run_answer(run, self._runs), step=number))


def make_played_draft(draft: Draft, course_step: int = 0) -> PlayedDraft:
    """Return a draft whose source is in order as it is played, for a step of a course if one."""
    return PlayedDraft(
        name=draft.name,
        packed=upload(draft.files).packed,
        id=draft.id,
        main=main_file(draft.files),
        course_step=course_step,
    )


def _not_run(found: list[DraftFinding]) -> Response:
    content = encode(NotRun(error=NOT_RUN, findings=found))
    return Response(content, HTTPStatus.UNPROCESSABLE_ENTITY, media_type=JSON)


def _make_match_request(draft: Draft, named: str | None, typed_seed: str) -> MatchRequest:
    """Return the match that is wanted. Raises: Denied, UsageError, ValueError."""
    presets = quick_presets(draft.game)
    preset = presets[0] if named is None else named
    if preset and preset not in presets:
        raise unprocessable_error(
            f"there is no preset {preset!r:.40}; expected one of: {', '.join(presets)}"
        )
    seed = parse_seed(typed_seed) if typed_seed else None
    return MatchRequest(game=draft.game, preset=preset or None, seed=seed)


NONE = "there is no such course, or no such step of it"


def _require_course(request: Request) -> str:
    """Raises: Denied for a game without a course."""
    game = str(request.path_params["board"])
    if not load_steps(game):
        raise Denied(HTTPStatus.NOT_FOUND, NONE)
    return game


def _find_step(game: str, number: int) -> Step:
    """Raises: Denied."""
    steps = load_steps(game)
    if not 1 <= number <= len(steps):
        raise Denied(HTTPStatus.NOT_FOUND, NONE)
    return steps[number - 1]
