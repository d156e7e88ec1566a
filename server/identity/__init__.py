"""Who somebody is: people, sessions, tokens, and the log of what they did.

Concept: a request is authenticated once. `visitors.Visitor` is who sends it, known by the cookie of
a session or by a token, and looked up when somebody first asks; everything else asks it.
Boundary: rows of the database and names. It knows no page, no game and no bot, and is the lowest
folder of the server; people's pages are in server/accounts.
What always holds: of passwords, tokens, keys and links only hashes are kept; whoever is banned has
no session and no token; names that look alike belong to one person; what somebody did, or was
refused, is in the audit log; a text from outside is bounded before anything else is done with it.
"""
