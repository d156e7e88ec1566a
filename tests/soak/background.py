"""What goes on beside a run, in threads."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def running_threads(*bodies: Callable[[threading.Event], None]) -> Iterator[Callable[[], None]]:
    """Run functions in threads of their own; yields what ends them. What fails there fails here."""
    is_over, failures = threading.Event(), list[BaseException]()

    def run(body: Callable[[threading.Event], None]) -> None:
        try:
            body(is_over)
        except BaseException as failure:  # noqa: BLE001 - it is raised where it is seen
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(body,)) for body in bodies]

    def end() -> None:
        is_over.set()
        for thread in threads:
            thread.join()

    with ExitStack() as stack:
        stack.callback(end)
        for thread in threads:
            thread.start()
        yield end
    if failures:
        raise failures[0]
