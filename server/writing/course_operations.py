"""The courses as the page asks about them: steps, tries with a draft, and who is where."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from engine.catalog import describe_game
from engine.errors import UsageError
from engine.replays.reading import Replay
from runners.match_request import MatchRequest
from server.http.errors import Denied
from server.http.openapi import Operation
from server.http.permissions import Permission
from server.http.responses import json_response
from server.identity.rate_limits import Asker
from server.identity.text_limits import parse_whole_number
from server.runs.run_pages import RUN_GONE, make_run_answer
from server.runs.run_rows import OPEN, State
from server.runs.runs import Runs
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
from server.writing.drafts import Draft
from server.writing.opponents import DraftOpponents
from server.writing.run_bodies import CourseTry
from server.writing.running import Running, make_played_draft
from server.writing.writers import (
    CHANGE_REFUSALS,
    OWN_REFUSALS,
    DraftAccess,
    Writers,
    make_asker,
    unprocessable_error,
)

NONE = "there is no such course, or no such step of it"


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
        course, step = "/courses/{board}", "/courses/{board}/steps/{step}/try"
        of_own = partial(Operation, refusals=OWN_REFUSALS)
        of_organizer = partial(of_own, permission=Permission.ORGANIZER)
        return [
            Operation("GET", course, self._course, CourseAnswer),
            Operation("POST", step, self._try_step, CourseTry, TryBody, refusals=CHANGE_REFUSALS),
            of_own("GET", f"{course}/tries/{{run}}", self._tried, TryAnswer),
            of_organizer("GET", f"{course}/people", self._learners, Learners),
        ]

    def _course(self, request: Request) -> CourseAnswer:
        """Return the steps of a course, and how far whoever asks has come."""
        game = _require_course(request)
        return self._progress.answer(self._writers.find_owner(request), game)

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

    def _start_try(self, draft: Draft, number: int, step: Step, by: Asker) -> Response:
        """Raises: Denied, TooMany."""
        not_run = self._running.why_not_run(draft, by)
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
