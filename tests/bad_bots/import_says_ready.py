"""Says on every descriptor that it is ready, and thinks for ever."""

import os

for descriptor in range(3, 64):
    try:
        os.write(descriptor, b"[0]\n")
    except OSError:
        pass
while True:
    pass
