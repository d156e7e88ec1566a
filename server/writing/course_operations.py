"""The courses as the page asks about them: steps, tries with a draft, and who is where."""

from collections.abc import Sequence
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from engine.errors import UsageError
from engine.replays.reading import Replay
from runners.match_request import MatchRequest
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.permissions import Permission
from server.http.responses import read, sent
from server.identity.rate_limits import Asker
from server.runs.run_pages import GONE, answer_of
from server.runs.run_rows import OPEN, State
from server.runs.runs import Runs
from server.writing.courses import (
    SEED,
    CourseAnswer,
    CourseProgress,
    Learners,
    Step,
    TryAnswer,
    TryBody,
    judged,
    steps_of,
)
from server.writing.drafts import Draft
from server.writing.opponents import DraftOpponents
from server.writing.run_bodies import CourseTry
from server.writing.running import Running, played_draft
from server.writing.writers import DraftAccess, Writers, asker_of, refused

NONE = "there is no such course, or no such step of it"
MOST_DIGITS = 3


class CourseOperations:
    """Lets authors try the steps of courses."""

    def __init__(
        self,
        access: DraftAccess,
        writers: Writers,
        opponents: DraftOpponents,
        runs: Runs,
        running: Running,
        progress: CourseProgress,
    ) -> None:
        self._access = access
        self._writers = writers
        self._opponents = opponents
        self._runs = runs
        self._running = running
        self._progress = progress

    @property
    def operations(self) -> Sequence[Operation]:
        own = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
        trying = (*own, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.TOO_MANY_REQUESTS)
        course = "/courses/{board}"
        return [
            Operation("GET", course, self._course, CourseAnswer),
            Operation(
                "POST",
                f"{course}/steps/{{step}}/try",
                self._try_step,
                CourseTry,
                TryBody,
                refusals=trying,
            ),
            Operation("GET", f"{course}/tries/{{run}}", self._tried, TryAnswer, refusals=own),
            Operation(
                "GET",
                f"{course}/people",
                self._learners,
                Learners,
                permission=Permission.ORGANIZER,
                refusals=own,
            ),
        ]

    async def _course(self, request: Request) -> Response:
        """Return the steps of a course, and how far whoever asks has come."""

        def answer() -> CourseAnswer:
            game = _game_of(request)
            return self._progress.answer(self._writers.known(request), game)

        return sent(await run_in_threadpool(answer))

    async def _try_step(self, request: Request) -> Response:
        """Begin the match of a step with a draft of one's own."""
        body = await read(request, TryBody)

        def answer() -> Response:
            game, number = _game_of(request), _number(request.path_params["step"])
            step = _step(game, number)
            draft = self._access.found(request, body.draft)
            if draft.game != game:
                raise refused(f"this draft plays another game than {game}")
            return self._begun(draft, number, step, asker_of(request, draft.owner))

        return await run_in_threadpool(answer)

    async def _tried(self, request: Request) -> Response:
        """Return what came of a try."""

        def answer() -> TryAnswer:
            game = _game_of(request)
            run = self._runs.find(request.path_params["run"])
            if run is None or not run.draft or run.game != game or not run.course_step:
                raise Denied(HTTPStatus.NOT_FOUND, GONE)
            owner = self._access.found(request, run.draft).owner
            goals = []
            if run.state is State.OVER and self._runs.replay(run).exists():
                goals = judged(_step(game, run.course_step), Replay(self._runs.replay(run)))
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

        return sent(await run_in_threadpool(answer))

    async def _learners(self, request: Request) -> Response:
        """Return who has come how far in a course, to organizers."""
        return sent(await run_in_threadpool(lambda: self._progress.learners(_game_of(request))))

    def _begun(self, draft: Draft, number: int, step: Step, by: Asker) -> Response:
        """Raises: Denied, TooMany."""
        not_run = self._running.why_not_run(draft, by)
        if not_run is not None:
            return not_run
        asked = MatchRequest(
            game=draft.game,
            preset="small" if draft.game == "slime_mind" else None,
            settings=step.settings,
            seed=SEED,
        )
        try:
            opponent = self._opponents.found(draft, step.opponent)
            run = self._runs.begin(played_draft(draft, number), [opponent], asked, by)
        except UsageError as error:
            raise refused(str(error)) from error
        self._progress.count_try(draft.owner, draft.game, number)
        return sent(CourseTry(run=answer_of(run, self._runs), step=number))


def _game_of(request: Request) -> str:
    """Raises: Denied for a game without a course."""
    game = str(request.path_params["board"])
    if not steps_of(game):
        raise Denied(HTTPStatus.NOT_FOUND, NONE)
    return game


def _number(said: str) -> int:
    is_number = said.isascii() and said.isdigit() and len(said) < MOST_DIGITS
    return int(said) if is_number else 0


def _step(game: str, number: int) -> Step:
    """Raises: Denied."""
    steps = steps_of(game)
    if not 1 <= number <= len(steps):
        raise Denied(HTTPStatus.NOT_FOUND, NONE)
    return steps[number - 1]
