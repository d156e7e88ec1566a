"""Who reads whose messages in a game, and what people do who do not get on with each other.

The rule: who comes by a private link or shares a group reads each other from the start; elsewhere
the first message is announced ("would like to write to you"), and one click decides. In both cases
a mute hides somebody's messages, and a block keeps two people apart.

`MessageFilter` is that rule, and is made from the rows of a game alone. `Conversations` takes and
shows messages, `Mutes` changes what somebody decided, `BlockList` has what counts in every game,
and `Reports` are what organizers are told. The games themselves are known here as `Games` only.
"""
