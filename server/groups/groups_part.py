"""The groups of a site: their pages, and what is kept of their members."""

from collections.abc import Sequence

from starlette.routing import BaseRoute

from runners.storage.database import Database
from server.contests.ladder_tables import LadderTables
from server.contests.tournament_views import TournamentViews
from server.groups.group_admin_pages import GroupAdminPages
from server.groups.group_pages import GroupPages, GroupTables
from server.groups.groups import Groups
from server.http.page_requests import Pages
from server.http.parts import Part
from server.identity.groups import person_groups


class GroupsPart(Part):
    """Groups of people, for their members and for organizers."""

    def __init__(
        self, pages: Pages, database: Database, tables: LadderTables, views: TournamentViews
    ) -> None:
        self._database = database
        self._groups = Groups(database)
        of_groups = GroupTables(database, tables, views)
        self._pages = GroupPages(pages, database, self._groups, of_groups)
        self._admin_pages = GroupAdminPages(pages, database, self._groups, of_groups)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [*self._pages.routes, *self._admin_pages.routes]

    def personal_data(self, person_id: str) -> dict[str, object]:
        """Return the groups that somebody is in."""
        return {"groups": [one.name for one in self._database.find(person_groups(person_id))]}

    def forget(self, person_id: str) -> None:
        self._groups.forget(person_id)
