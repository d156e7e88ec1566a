"""The arcade window: it forwards input, and has the graphics card draw each frame."""

from array import array
from collections.abc import Iterable
from itertools import groupby

import arcade
from arcade import ArcadeContext
from arcade.gl import BufferDescription, Framebuffer
from arcade.types import Color

from visualizer.backends.arcade.actions import ACTIONS, SWITCHES
from visualizer.backends.arcade.atlas import Atlas
from visualizer.backends.arcade.draw_list import ROW_LAYOUT, CardDrawList
from visualizer.backends.arcade.frame import WindowFrame
from visualizer.backends.arcade.layout import MIN_SIZE, USUAL, pixels_per_point
from visualizer.backends.arcade.painter import Layer, Painter, Picture
from visualizer.backends.arcade.sounds import Loudspeaker
from visualizer.backends.arcade.user_input import Keyboard, Pointing
from visualizer.backends.arcade.window_model import WindowModel
from visualizer.drawing.rect import Rect
from visualizer.theme import BACKGROUND, QUIET

KEYS = {
    getattr(arcade.key, key.rpartition("+")[2]): key.rpartition("+")[2]
    for action in (*ACTIONS, *SWITCHES)
    for key in action.keys
}

LOADING, LOADING_SIZE = "Loading the match …", 16
"""What a window says at first, and the size of its letters, points."""
MAX_FRAME_S = 0.25
"""A longer frame, such as the first, counts as this long: the match must not jump ahead."""
VERTEX = """
#version 330
in vec2 corner;
in vec4 place;
in vec4 region;
in vec4 color;
in float angle;
uniform vec2 window;
uniform float atlas;
out vec2 at;
out vec4 tint;
void main() {
    vec2 off = (corner - 0.5) * place.zw;
    if (angle != 0.0) {
        float c = cos(angle), s = sin(angle);
        off = vec2(off.x * c - off.y * s, off.x * s + off.y * c);
    }
    vec2 pixel = place.xy + 0.5 * place.zw + off;
    gl_Position = vec4(pixel.x / window.x * 2.0 - 1.0, 1.0 - pixel.y / window.y * 2.0, 0.0, 1.0);
    at = (region.xy + corner * region.zw) / atlas;
    tint = vec4(color.rgb * color.a, color.a);
}
"""
FRAGMENT = """
#version 330
in vec2 at;
in vec4 tint;
uniform sampler2D pictures;
out vec4 result;
void main() {
    result = texture(pictures, at) * tint;
}
"""
FULL_SCREEN = """
#version 330
in vec2 corner;
out vec2 at;
void main() {
    at = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
"""
COPY = """
#version 330
in vec2 at;
uniform sampler2D lasting;
out vec4 result;
void main() {
    result = texture(lasting, at);
}
"""
CORNERS = (0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0)
ROWS_AT_FIRST = 4_096


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
        self.set_minimum_size(*MIN_SIZE)
        self.atlas = Atlas()
        self._graphics = Graphics(self.ctx, self.atlas)
        self._loudspeaker = Loudspeaker()
        self._show_loading()

    def _show_loading(self) -> None:
        """Show what is going on before there is a match to show."""
        size = self.get_framebuffer_size()
        atlas = Atlas()  # of its own: the match begins with an empty one
        draws = CardDrawList(atlas, pixels_per_point(*self._size_in_pixels()))
        draws.text(size[0] / 2, size[1] / 2, LOADING, LOADING_SIZE, QUIET, align=0.5)
        picture = Picture((Layer(b"".join(draws.rows)),), (), is_new=True)
        graphics = Graphics(self.ctx, atlas)
        for _ in range(2):  # both buffers, of which either may be seen
            graphics.draw(picture, size)
            self.flip()

    def show(self, model: WindowModel) -> None:
        """Show a model from now on."""
        self.model = model
        model.sounds.play = self._loudspeaker.play
        self.frame = WindowFrame(model, *self._size_in_pixels())
        self._painter = Painter(self.frame, self.atlas)
        self._pointing = Pointing(self.frame)
        self._keyboard = Keyboard(model)
        self.set_caption(model.title)

    @property
    def _ratio(self) -> float:
        """Return pixels per unit of mouse positions: 2 on many laptops."""
        return float(self.get_framebuffer_size()[0] / self.width)

    def _size_in_pixels(self) -> tuple[int, int, float]:
        width, height = self.get_framebuffer_size()
        return width, height, self._ratio

    def on_update(self, delta_time: float) -> None:
        if not self.closed:
            self._keyboard.tick()
            self.model.tick(min(delta_time, MAX_FRAME_S))
            self.frame.follow()
            self._apply_window_actions()

    def on_draw(self) -> None:
        if not self.closed:
            self._graphics.draw(self._painter.paint(), self.get_framebuffer_size())

    def _apply_window_actions(self) -> None:
        """Close the window or switch full screen, if an action asked for it."""
        if self.model.is_closing:
            self.close()
        elif self.model.is_full_screen != self.fullscreen:
            self.set_fullscreen(self.model.is_full_screen)

    def on_resize(self, width: int, height: int) -> None:
        super().on_resize(width, height)
        if hasattr(self, "frame"):  # the first time it is not told yet what to show
            self.frame.resize(*self._size_in_pixels())

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


class Graphics:
    """The atlas as a texture, a framebuffer for what lasts, and the shader programs."""

    def __init__(self, context: ArcadeContext, atlas: Atlas) -> None:
        self._context = context
        self._atlas = atlas
        self._program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self._program["atlas"] = atlas.side
        self._texture = context.texture((atlas.side, atlas.side), components=4)
        self._texture.filter = context.LINEAR, context.LINEAR
        self._corners = context.buffer(data=array("f", CORNERS).tobytes())
        self._copying = context.program(vertex_shader=FULL_SCREEN, fragment_shader=COPY)
        self._whole = context.geometry(
            [BufferDescription(self._corners, "2f", ["corner"])], mode=context.TRIANGLE_STRIP
        )
        self._make_room(ROWS_AT_FIRST)
        self._begin_canvas((1, 1), BACKGROUND)

    def draw(self, picture: Picture, size: tuple[int, int]) -> None:
        """Draw a picture on a screen of a size in pixels."""
        for upload in self._atlas.take_uploads():
            place = (upload.x, upload.y, upload.width, upload.height)
            self._texture.write(upload.pixels, viewport=place)
        if picture.is_new:
            self._begin_canvas(size, picture.ground)
        if picture.lasting:
            self._canvas.use()
            self._draw(picture.lasting, self._canvas, size)
        self._copy_canvas()
        self._draw(picture.fleeting, self._context.screen, size)

    def _make_room(self, rows: int) -> None:
        """Reserve a buffer on the card for a number of rows."""
        context = self._context
        self._room = rows * ROW_LAYOUT.size
        self._buffer = context.buffer(reserve=self._room, usage="stream")
        self._geometry = context.geometry(
            [
                BufferDescription(self._corners, "2f", ["corner"]),
                BufferDescription(
                    self._buffer, "4f 4f 4f1 1f", ["place", "region", "color", "angle"],
                    normalized=["color"], instanced=True,
                ),
            ],
            mode=context.TRIANGLE_STRIP,
        )  # fmt: skip

    def _begin_canvas(self, size: tuple[int, int], ground: str) -> None:
        self._lasting = self._context.texture(size, components=4)
        # Copied pixel by pixel: filtering would blur text.
        self._lasting.filter = self._context.NEAREST, self._context.NEAREST
        self._canvas = self._context.framebuffer(color_attachments=[self._lasting])
        self._canvas.clear(color=Color.from_hex_string(ground))

    def _copy_canvas(self) -> None:
        self._context.screen.use()
        self._context.enable_only()
        self._lasting.use(0)
        self._whole.render(self._copying)

    def _draw(self, layers: Iterable[Layer], to: Framebuffer, size: tuple[int, int]) -> None:
        """Draw layers, those with the same clip in one call: each call costs more than its rows."""
        context = self._context
        context.enable(context.BLEND)
        # The blend function of premultiplied alpha (atlas.py).
        context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
        self._program["window"] = size
        self._texture.use(0)
        for clip, alike in groupby(layers, key=lambda layer: layer.clip):
            to.scissor = self._clip_box(clip, to, size[1]) if clip else None
            self._render(b"".join(layer.rows for layer in alike))
        to.scissor = None

    def _render(self, rows: bytes) -> None:
        if len(rows) > self._room:
            # Doubling: a board that grows must not allocate a buffer in every frame.
            self._make_room(2 * len(rows) // ROW_LAYOUT.size)
        # Orphaning gives the driver a new buffer, so that it need not wait for the last frame.
        self._buffer.orphan()
        self._buffer.write(rows)
        self._geometry.render(self._program, instances=len(rows) // ROW_LAYOUT.size)

    def _clip_box(self, clip: Rect, to: Framebuffer, height: int) -> tuple[float, ...]:
        """Return a clip from the lower left corner; arcade scales that of the screen itself."""
        box = tuple(map(round, (clip.x, height - clip.bottom, clip.width, clip.height)))
        # Framebuffers count in pixels, the screen in the units of the mouse.
        if to is not self._context.screen:
            return box
        return tuple(side / self._context.window.get_pixel_ratio() for side in box)
