"""Writing a bot in the browser: drafts, runs of them, and what an author asks about them.

Concept: a draft is the files of a bot that was not handed in, kept as rows, and versions of it. It
is its author's alone: a person, or a guest who is known by a cookie. It is played by server/runs
and handed in by server/bots, as any other bot is.
Boundary: what the page /write asks the server. The page itself is in web/.
What always holds: names, sizes and bytes are looked at before anything is kept; two pages that
change a draft at once lose nothing, since each says which revision it has changed; whoever is not
its author is told that there is no such draft.
"""
