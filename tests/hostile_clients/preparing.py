"""What an attacker has and knows before an attack."""

import re
from contextlib import closing

from runners.storage.database import Database
from server.identity.people import People
from server.identity.tokens import Tokens
from tests.hostile_clients.attacked_server import AttackedServer
from tests.hostile_clients.honest import HonestPeople
from tests.hostile_clients.targets import Targets
from tests.soak.visitors import Player, Visitor, join, new_invitation

ATTACKER = "Mallory"
DRAFTS = 60
"""With two runs of each at once there would be more than a server takes."""


def prepare_targets(server: AttackedServer, people: HonestPeople) -> Targets:
    """Return what an attacker knows of people; he has an account of his own."""
    attacker = join(server, ATTACKER)
    own = Player([attacker])
    own.start()
    return Targets(
        port=server.port,
        names=people.names,
        running=people.player.games[-1],
        finished=people.finished,
        invitation=new_invitation(server),
        session=attacker.client.cookies["session"],
        token=_token(server),
        own_game=own.games[0],
        seat=_friends_seat(attacker),
        drafts=tuple(_draft(server, f"made-up-{number}") for number in range(DRAFTS)),
    )


def _draft(server: AttackedServer, cookie: str) -> tuple[str, str]:
    """Begin a draft as a guest with a cookie."""
    answer = Visitor(server).ask(
        "POST",
        "/api/v1/drafts",
        json={"game": "smack", "template": "simple", "name": "Mine"},
        headers={"Cookie": f"writer={cookie}"},
    )
    return answer.json()["id"], cookie


def _token(server: AttackedServer) -> str:
    with closing(Database(server.url)) as database:
        people = People(database)
        attacker = people.find_person_by_name(ATTACKER)
        assert attacker is not None
        return Tokens(database, people).create_token(attacker.id, "attack")


def _friends_seat(attacker: Visitor) -> str:
    """Return the path of a link to a seat of a game that waits."""
    fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": "friend"}
    path = attacker.ask("POST", "/lobby/new", data=fields).headers["location"]
    attacker.ask("POST", f"{path}/link", data={"team": "2"})
    found = re.search(r"/seats/\w+/2/[\w-]+", attacker.ask("GET", path).text)
    assert found is not None
    return found[0]
