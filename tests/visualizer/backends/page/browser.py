"""Driving Chromium."""

from pathlib import Path
from typing import Any

DESKTOP = {"width": 1280, "height": 800}
PATIENCE_MS = 30_000


class OpenPage:
    """A page that is open. `troubles` are its errors, and whatever it asked for but itself."""

    def __init__(
        self, chromium: Any, path: Path, link: str, options: dict[str, Any], watching: str = ""
    ) -> None:
        """`watching` is a script that runs before those of the page."""
        self.troubles: list[str] = []
        self._context = chromium.new_context(**{"viewport": DESKTOP, **options})
        self._context.add_init_script(watching)
        self.page = self._context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self._listen(path.as_uri())
        self.page.goto(path.as_uri() + link)
        self.page.wait_for_selector("body:not(.loading)")

    def _listen(self, own: str) -> None:
        def request(request: Any) -> None:
            if request.url.partition("#")[0] != own:
                self.troubles.append(f"asked for {request.url}")

        def console(line: Any) -> None:
            if line.type == "error":
                self.troubles.append(f"wrote {line.text}")

        self.page.on("request", request)
        self.page.on("pageerror", lambda error: self.troubles.append(f"raised {error}"))
        self.page.on("console", console)
        self.page.on("dialog", lambda dialog: self.troubles.append(f"said {dialog.message}"))

    def run(self, script: str, argument: Any = None) -> Any:
        """A function of JavaScript, its answer as plain data."""
        return self.page.evaluate(script, argument)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def click(self, action: str) -> None:
        self.page.click(f"#controls [data-action={action}]")
        self.settle()

    def settle(self) -> None:
        """Wait until the next picture is drawn."""
        self.run("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    @property
    def position(self) -> int:
        return int(self.run("() => viewer.cursor.position"))

    @property
    def time(self) -> float:
        return float(self.run("() => viewer.playback.time"))

    @property
    def is_playing(self) -> bool:
        return bool(self.run("() => viewer.playback.isPlaying"))

    def thing_position(self, thing: int) -> tuple[float, float]:
        """Return where a thing's middle is on the screen."""
        script = """(id) => {
            const look = viewer.cursor.things.get(id).appearance;
            const box = document.getElementById('board').getBoundingClientRect();
            const [x, y] = viewer.view.toScreen(look.x, look.y);
            return [box.left + x, box.top + y];
        }"""
        x, y = self.run(script, thing)
        return x, y

    def close(self) -> None:
        self._context.close()
