"""Databases as versions of the project wrote them, and what the present one must read of them.

Each archive has a recorded JSON file of the same name beside it. Folders of results, by
`make_results.py`:

| archive          | made by the code of | revision | what else is in it                         |
|------------------|---------------------|----------|--------------------------------------------|
| `results_0_1`    | 1387181 (0.1.0)     | 0001     | no secrets: its tournaments are refused    |
| `results_1_0`    | eae0a02 (1.0.0)     | 0002     | also a tournament of Smack! and of SMAC    |
| `results_1_1`    | b7be5dc (1.1.0)     | 0002     | the same                                   |
| `results_latest` | 070840c             | 0002     | also 4-player tournaments in two pairs     |

All of them: a tournament of each format that is over, and one that was interrupted by SIGINT in
the midst of a round (in some the last match is in its folder, and not in the database yet); one
with a bot that ended its process and was quarantined, and one that was left out; one that was left
with failures, as the copies of its bots were removed meanwhile; a series and a sequential test that
are over, and both interrupted. 1387181 and eae0a02 need the package landlockpy, which was put on
PYTHONPATH, beside those of the present lock file.

Folders of a server with SQLite, by `make_server.py`:

| archive         | made by the code of | revision | what is missing in it                        |
|-----------------|---------------------|----------|----------------------------------------------|
| `server_1`      | see below           | 1        | the arena                                    |
| `server_2`      | 6cb8251             | 2        |                                              |
| `server_3`      | 5dcee02             | 3        |                                              |
| `server_4`      | d80ab03             | 4        |                                              |
| `server_5`      | b7be5dc (1.1.0)     | 5        |                                              |
| `server_latest` | 070840c             | 5        |                                              |

All of them: an organizer, three members with passwords and one who is banned, an invitation, a
token; games of people of Smack! and SMAC that are over, rated and not, and that run, with an order,
a draft, a message and a move to be taken back that wait; one against a bot and one that waits for a
player; an endless ladder and a season that is over, both with bots that were handed in (two
versions of one; one that failed its checks), matches (one void), ratings and perhaps a fixture that
waits; a ladder with an entry that was refused and one that waits; a tournament that is over, and a
round robin and a double elimination that were paused in their midst.

`server_1` is `server_2` taken back by `server.schema.downgrade`, without bots and tournaments: the
tables of the first revision, as its migration has them, were never those of a commit. The last
one that wrote revision 1, 5ef049d, had no columns `outcome` and `ended_at` of games yet; it was
never released, and its databases cannot be upgraded.

There is no archive of a PostgreSQL database: the test copies `server_latest` into a new one by
`main.py admin copy`, and requires that the same is shown.

A git worktree of a commit, with its own `.venv` or the present one, makes them:

    git worktree add --detach FOLDER COMMIT
    python3 -m tests.golden.databases make FOLDER results_1_0 server_2

Those of former versions are never made again. Only what the present version reads of them may be
recorded anew (`python3 -m tests.golden.databases record`), in a commit that says why.

Nothing in them is secret: passwords stand in `contents.py`, maps follow from secrets that were
drawn for these matches alone, and `packing.py` removes folders and the name of the machine.
"""
