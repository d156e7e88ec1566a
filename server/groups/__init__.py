"""Groups of people, such as classes: their pages, and what their members have handed in.

Concept: an organizer makes a group; people join it by its code, or by an invitation that is for it.
A ladder may be for the members of one group alone.
Boundary: the pages of groups, and the table for grading. Who is in a group is of server/identity;
that a ladder lets only members in is asked where bots enter it (runners/contests/ladders.py).
What always holds: codes are kept as hashes, and guesses are limited; members see of each other's
bots what everybody may see of them; whoever leaves takes their bots off ladders that are for the
group alone.
"""
