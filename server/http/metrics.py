"""What one process of a server counts for Prometheus: requests, moves, streams."""

from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

Network = IPv4Network | IPv6Network
METRIC_PREFIX = "slime_mind_"
DURATION_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper ends of the classes of a request's time: a page takes a few ms, a password 50."""


class RequestMetrics:
    """Counters of one process; they begin at nothing when it does.

    A route is named by its pattern: the paths of requests hold keys, and are too many.
    """

    def __init__(self, streams: Callable[[], int]) -> None:
        """`streams` returns how many are open now."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            f"{METRIC_PREFIX}requests",
            "Requests that were answered.",
            ("route", "method", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            f"{METRIC_PREFIX}request_seconds",
            "Time from a request to the begin of its answer.",
            ("route",),
            buckets=DURATION_BUCKETS_S,
            registry=self._registry,
        )
        self._moves = Counter(
            f"{METRIC_PREFIX}moves", "Orders of people that were taken.", registry=self._registry
        )
        open_streams = Gauge(
            f"{METRIC_PREFIX}streams",
            "Games that players and spectators follow, by page.",
            registry=self._registry,
        )
        open_streams.set_function(streams)

    def count_request(self, route: str, method: str, status: int, seconds: float | None) -> None:
        """Count a request; `seconds` until its answer began, None for one without an answer."""
        self._requests.labels(route, method, str(status)).inc()
        if seconds is not None:
            self._seconds.labels(route).observe(seconds)

    def count_order(self) -> None:
        """Count an order of somebody."""
        self._moves.inc()

    def prometheus_lines(self) -> str:
        """Return them as Prometheus reads them."""
        return generate_latest(self._registry).decode()
