"""Databases as versions of the project wrote them, and what the present one must read of them.

Each archive is named after the revision of its tables; what was read of it is recorded beside it.

`results_23`, by `make_results.py` and the code of e83f092c: a tournament of each format that is
over, and one that was interrupted by SIGINT in the midst of a round (in some the last match is in
its folder, and not in the database yet); one with a bot that ended its process and was quarantined,
and one that was left out; one that was left with failures, as the copies of its bots were removed
meanwhile; a series and a sequential test that are over, and both interrupted; a tournament of
Smack! and of SMAC, and 4-player tournaments in two pairs.

`server_23`, a server's folder with SQLite, by `make_server.py` and the code of 070840c, which that
of b86e7b49 upgraded from revision 5: an organizer, three members with passwords and one who is
banned, an invitation, a token; games of people of Smack! and SMAC that are over, rated and not, and
that run, with an order, a draft, a message and a move to be taken back that wait; one against a bot
and one that waits for a player; an endless ladder and a season that is over, both with bots that
were handed in (two versions of one; one that failed its checks), matches (one void), ratings and
perhaps a fixture that waits; a ladder with an entry that was refused and one that waits; a
tournament that is over, and a round robin and a double elimination that were paused in their midst.

There is no archive of a PostgreSQL database: the test copies `server_23` into a new one by `main.py
admin copy`, and requires that the same is shown.

A git worktree of a commit, with its own `.venv` or the present one, makes them:

    git worktree add --detach FOLDER COMMIT
    python3 -m tests.golden.databases make FOLDER results_23 server_23

Those of former versions are never made again. Only what the present version reads of them may be
recorded anew (`python3 -m tests.golden.databases record`), in a commit that says why.

Nothing in them is secret: passwords stand in `contents.py`, maps follow from secrets that were
drawn for these matches alone, and `packing.py` removes folders and the name of the machine.
"""
