"""The arcade window, which forwards input and draws each frame."""

import arcade

from visualizer.backends.arcade.actions import ACTIONS, SWITCHES
from visualizer.backends.arcade.atlas import Atlas
from visualizer.backends.arcade.draw_list import CardDrawList
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.graphics import Graphics
from visualizer.backends.arcade.layout import SMALLEST, USUAL, unit_of
from visualizer.backends.arcade.painter import Layer, Painter, Picture
from visualizer.backends.arcade.sounds import Loudspeaker
from visualizer.backends.arcade.user_input import Keyboard, Pointing
from visualizer.backends.arcade.window_model import WindowModel
from visualizer.theme import QUIET

KEYS = {
    getattr(arcade.key, key.rpartition("+")[2]): key.rpartition("+")[2]
    for action in (*ACTIONS, *SWITCHES)
    for key in action.keys
}

LOADING, LOADING_SIZE = "Loading the match …", 16
"""What a window says at first, and the size of its letters, points."""
LONGEST_FRAME_S = 0.25
"""A longer frame, such as the first, counts as this long: the match must not jump ahead."""


class Screen(arcade.Window):
    """The window, empty until it is given replays to show."""

    model: WindowModel
    frame: WindowFrame
    _painter: Painter
    _pointing: Pointing
    _keyboard: Keyboard

    def __init__(self) -> None:
        super().__init__(
            *USUAL,
            "Slime Mind",
            resizable=True,
            antialiasing=False,  # 34 frames per second with it, in software
            center_window=True,
            vsync=True,
        )
        self.set_minimum_size(*SMALLEST)
        self.atlas = Atlas()
        self._graphics = Graphics(self.ctx, self.atlas)
        self._loudspeaker = Loudspeaker()
        self._show_loading()

    def _show_loading(self) -> None:
        """Show what is going on before there is a match to show."""
        size = self.get_framebuffer_size()
        atlas = Atlas()  # of its own: the match begins with an empty one
        draws = CardDrawList(atlas, unit_of(*self._pixels()))
        draws.text(size[0] / 2, size[1] / 2, LOADING, LOADING_SIZE, QUIET, align=0.5)
        picture, graphics = (
            Picture((Layer(b"".join(draws.rows)),), (), is_new=True),
            Graphics(self.ctx, atlas),
        )
        for _ in range(2):  # both buffers, of which either may be seen
            graphics.draw(picture, size)
            self.flip()

    def begin(self, model: WindowModel) -> None:
        """Show a model from now on."""
        self.model = model
        model.sounds.play = self._loudspeaker.play
        self.frame = WindowFrame(model, *self._pixels())
        self._painter = Painter(self.frame, self.atlas)
        self._pointing = Pointing(self.frame)
        self._keyboard = Keyboard(model)
        self.set_caption(model.title)

    @property
    def _ratio(self) -> float:
        """Return pixels per unit of mouse positions: 2 on many laptops."""
        return float(self.get_framebuffer_size()[0] / self.width)

    def _pixels(self) -> tuple[int, int, float]:
        width, height = self.get_framebuffer_size()
        return width, height, self._ratio

    def on_update(self, delta_time: float) -> None:
        if not self.closed:
            self._keyboard.tick()
            self.model.tick(min(delta_time, LONGEST_FRAME_S))
            self.frame.follow()
            self._obey()

    def on_draw(self) -> None:
        if not self.closed:
            self._graphics.draw(self._painter.paint(), self.get_framebuffer_size())

    def _obey(self) -> None:
        """Close the window or switch full screen, if an action asked for it."""
        if self.model.is_closing:
            self.close()
        elif self.model.is_full_screen != self.fullscreen:
            self.set_fullscreen(self.model.is_full_screen)

    def on_resize(self, width: int, height: int) -> None:
        super().on_resize(width, height)
        if hasattr(self, "frame"):  # the first time it is not told yet what to show
            self.frame.resize(*self._pixels())

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        with_shift = bool(modifiers & arcade.key.MOD_SHIFT)
        self._keyboard.press(KEYS.get(symbol, ""), with_shift=with_shift)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        self._keyboard.release(KEYS.get(symbol, ""))

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self._pointing.move(*self._place(x, y))

    def on_mouse_leave(self, x: int, y: int) -> None:
        self._pointing.leave()

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._pointing.press(*self._place(x, y))

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self._pointing.drag(*self._place(x, y))

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._pointing.release()

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        self._pointing.scroll(*self._place(x, y), scroll_y)

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """Return a mouse position in pixels from the upper left corner."""
        return x * self._ratio, (self.height - y) * self._ratio
