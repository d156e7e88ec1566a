"""How requests come in and answers go out, whatever they are about.

Concept: a route says what it takes, who may use it (`permissions.py`), and how it may refuse;
`Pages` makes routes of pages, `Operation` those of the API, from which its document is made.
Boundary: sockets, limits, forms, templates, streams, logs. It knows who asks (server/identity), and
nothing of games, bots or contests; what the whole application is made of stands in server/site.
What always holds: a permission is asked for before a handler runs; every refusal is an exception
that `error_responses.py` answers, as JSON to programs and as a page to people; no body is read
without a bound on its length and its time; no stream is told what its reader may not know.
"""
