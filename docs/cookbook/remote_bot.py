"""Play on a server: `arena.txt` has its address, with /api/v1, and a token that may play."""

import json
from pathlib import Path
from random import choice
from urllib.request import Request, urlopen

api, token = Path("arena.txt").read_text(encoding="utf-8").split()
headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
game = {"game": "smack", "opponents": [{"bot": "player_one"}]}
urlopen(Request(f"{api}/challenges", json.dumps(game).encode(), headers))
for line in urlopen(Request(f"{api}/me/events?legal=true", headers=headers)):
    told = json.loads(line[6:]) if line.startswith(b"data: ") else {}
    if "legal" in told:
        order = {name: told[name] for name in ("team", "piece", "step")}
        order["order"] = choice(told["legal"])
        urlopen(Request(f"{api}/games/{told['game']}/orders", json.dumps(order).encode(), headers))
    if "outcome" in told:
        print(told["outcome"])
        break
