"""The command line: a module per command, which parses, calls what is below, and prints."""

import os

# More threads of numpy would receive a Ctrl-C while we hold it back, and when ratings are fitted
# they wait for each other on a busy machine. Processes that we start inherit this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
