"""Record matches, and read, verify, resume and share their records.

A replay is the header of a match and the list of its events and decisions, with keyframes to
seek by; the rules make every state from it, so none but the keyframes' is stored. An archive
holds the results of one folder by the keys of their matches. Here is all that knows the format;
who shows a replay (`visualizer`), prints it (`cli`) or stores its decisions in a database
(`server`) goes through this package, and nothing here knows a screen, a database or a network.

What was written stays readable though the process is killed, and replays of release 1.0.0 and
later stay readable and verifiable.
"""
