"""An application of a server on a port of this machine, for browsers."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from server.http.listening import LOOPBACK, listen
from tests.shell import eventually


@contextmanager
def serving_app(make: Callable[[str], Any]) -> Iterator[str]:
    """Serve what `make` returns for its address (host and port); yield the URL."""
    listener = listen(LOOPBACK, 0)
    address = f"{LOOPBACK}:{listener.getsockname()[1]}"
    config = uvicorn.Config(make(address).app, log_level="warning", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
    thread.start()
    try:
        assert eventually(lambda: server.started)
        yield f"http://{address}"
    finally:
        server.should_exit = True
        thread.join(10)
