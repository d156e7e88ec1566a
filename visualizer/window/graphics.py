"""Draws rows on the graphics card, with one program and in one go."""

from array import array
from collections.abc import Iterable
from itertools import groupby

from arcade import ArcadeContext
from arcade.gl import BufferDescription, Framebuffer
from arcade.types import Color

from visualizer.theme import BACKGROUND
from visualizer.window.atlas import Atlas, Upload
from visualizer.window.ink import ROW
from visualizer.window.painter import Layer, Picture
from visualizer.window.rect import Rect

VERTEX = """
#version 330
in vec2 corner;
in vec4 place;
in vec4 region;
in vec4 colour;
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
    tint = vec4(colour.rgb * colour.a, colour.a);
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
    """The atlas as a texture, a canvas for what lasts, and the programs that draw."""

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
        self._begin_canvas((1, 1))

    def draw(self, picture: Picture, size: tuple[int, int]) -> None:
        """On a screen of so many pixels."""
        for upload in self._atlas.take_uploads():
            self._put(upload)
        if picture.is_new:
            self._begin_canvas(size)
        if picture.lasting:
            self._canvas.use()
            self._draw(picture.lasting, self._canvas, size)
        self._copy_canvas()
        self._draw(picture.fleeting, self._context.screen, size)

    def _make_room(self, rows: int) -> None:
        """On the card, for so many rows."""
        context = self._context
        self._room = rows * ROW.size
        self._buffer = context.buffer(reserve=self._room, usage="stream")
        self._geometry = context.geometry(
            [
                BufferDescription(self._corners, "2f", ["corner"]),
                BufferDescription(
                    self._buffer, "4f 4f 4f1 1f", ["place", "region", "colour", "angle"],
                    normalized=["colour"], instanced=True,
                ),
            ],
            mode=context.TRIANGLE_STRIP,
        )  # fmt: skip

    def _begin_canvas(self, size: tuple[int, int]) -> None:
        self._lasting = self._context.texture(size, components=4)
        self._lasting.filter = self._context.NEAREST, self._context.NEAREST
        self._canvas = self._context.framebuffer(color_attachments=[self._lasting])
        self._canvas.clear(color=Color.from_hex_string(BACKGROUND))

    def _put(self, upload: Upload) -> None:
        place = (upload.x, upload.y, upload.width, upload.height)
        self._texture.write(upload.pixels, viewport=place)

    def _copy_canvas(self) -> None:
        self._context.screen.use()
        self._context.enable_only()
        self._lasting.use(0)
        self._whole.render(self._copying)

    def _draw(self, layers: Iterable[Layer], to: Framebuffer, size: tuple[int, int]) -> None:
        """In as few goes as there are clips: layers within the same one are drawn together."""
        context = self._context
        context.enable(context.BLEND)
        context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
        self._program["window"] = size
        self._texture.use(0)
        for clip, alike in groupby(layers, key=lambda layer: layer.clip):
            to.scissor = self._box(clip, to, size[1]) if clip else None
            self._render(b"".join(layer.rows for layer in alike))
        to.scissor = None

    def _render(self, rows: bytes) -> None:
        if len(rows) > self._room:
            self._make_room(2 * len(rows) // ROW.size)
        self._buffer.orphan()
        self._buffer.write(rows)
        self._geometry.render(self._program, instances=len(rows) // ROW.size)

    def _box(self, clip: Rect, to: Framebuffer, height: int) -> tuple[float, ...]:
        """From the lower left corner; of the screen, arcade counts in the mouse's units."""
        box = tuple(map(round, (clip.x, height - clip.bottom, clip.width, clip.height)))
        if to is not self._context.screen:
            return box
        return tuple(side / self._context.window.get_pixel_ratio() for side in box)
