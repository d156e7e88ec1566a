"""Pages of people: joining by a link, signing in, one's own page, and what organizers do.

Concept: an account is made by a link that was given to somebody, or asked for where that is open
and approved by an organizer. It is its owner's: they download all that is kept of them, and can
delete it.
Boundary: the pages alone; their rows are in server/identity. What other folders keep of a person
they say themselves (`Part.personal_data`, `Part.forget`), so that nothing is left out here.
What always holds: a secret is shown once, to the browser that asked for it; wrong passwords are
counted without locking their owner out; who is banned is withdrawn from what has not begun; each
act of an organizer is in the audit log.
"""
