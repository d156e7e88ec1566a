"""Who watches a match: one live scene, one loop that follows it, one decision on what is visible.

Concept: an `EventSource` says what happens in a match (a file that grows, a game of people); a
`LiveScene` is what all its viewers share, as pages draw it; `follow` sends each what is new.
Boundary: games, runs and contests say what there is to watch and who asks; `find_visible_part` says
what that reader may see. Nothing here knows a ladder, a seat or a draft.
What always holds: nothing leaves here that the reader's role may not see; no message tells of what
came after its moment; a match is read once, however many watch it, and not at all if nobody does.
"""
