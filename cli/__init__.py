"""The command line: a module per command, which parses, calls what is below, and prints.

A module imports what plays with `lazy_imports`, so that --help and completion are quick; a
second module beside a command is named by its concern.
"""

import os

# More threads of numpy would receive a Ctrl-C while we hold it back, and when ratings are fitted
# they wait for each other on a busy machine. Processes that we start inherit this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
