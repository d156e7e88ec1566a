"""Draws rows on the graphics card, with one shader program and one draw call per clip."""

from array import array
from collections.abc import Iterable
from itertools import groupby

from arcade import ArcadeContext
from arcade.gl import BufferDescription, Framebuffer
from arcade.types import Color

from visualizer.backends.arcade.atlas import Atlas, Upload
from visualizer.backends.arcade.draw_list import ROW
from visualizer.backends.arcade.painter import Layer, Picture
from visualizer.drawing.rect import Rect
from visualizer.theme import BACKGROUND

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
WHOLE = """
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
        self._copying = context.program(vertex_shader=WHOLE, fragment_shader=COPY)
        self._whole = context.geometry(
            [BufferDescription(self._corners, "2f", ["corner"])], mode=context.TRIANGLE_STRIP
        )
        self._make_room(ROWS_AT_FIRST)
        self._begin_canvas((1, 1), BACKGROUND)

    def draw(self, picture: Picture, size: tuple[int, int]) -> None:
        """Draw a picture on a screen of a size in pixels."""
        for upload in self._atlas.take_uploads():
            self._put(upload)
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
        self._room = rows * ROW.size
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

    def _put(self, upload: Upload) -> None:
        place = (upload.x, upload.y, upload.width, upload.height)
        self._texture.write(upload.pixels, viewport=place)

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
            to.scissor = self._box(clip, to, size[1]) if clip else None
            self._render(b"".join(layer.rows for layer in alike))
        to.scissor = None

    def _render(self, rows: bytes) -> None:
        if len(rows) > self._room:
            # Doubling: a board that grows must not allocate a buffer in every frame.
            self._make_room(2 * len(rows) // ROW.size)
        # Orphaning gives the driver a new buffer, so that it need not wait for the last frame.
        self._buffer.orphan()
        self._buffer.write(rows)
        self._geometry.render(self._program, instances=len(rows) // ROW.size)

    def _box(self, clip: Rect, to: Framebuffer, height: int) -> tuple[float, ...]:
        """Return a clip from the lower left corner; arcade scales that of the screen itself."""
        box = tuple(map(round, (clip.x, height - clip.bottom, clip.width, clip.height)))
        # Framebuffers count in pixels, the screen in the units of the mouse.
        if to is not self._context.screen:
            return box
        return tuple(side / self._context.window.get_pixel_ratio() for side in box)
