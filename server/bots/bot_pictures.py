"""Pictures in the folders of bots that were handed in: drawn anew before any browser gets them.

They are a stranger's, and are decoded in a confined child, as zips are unpacked there.
"""

from pathlib import Path

import msgspec

from engine.bots.confined_child import ConfinedChild
from engine.bots.finding import Packed
from engine.bots.own_files import MEGABYTE
from visualizer.drawing.custom_sprites import make_custom_sprites, pictures_by_purpose, save_sprites
from visualizer.drawing.pictures import EXPECTED, Unfit, reencode_content

MAX_PICTURES = 8
"""The pictures of a bot: whoever watches its match waits for all of them to be drawn."""
TOO_MUCH = "takes too much time or memory to decode"


class BadPicture(Exception):
    """Why a bot's pictures are refused, in a sentence."""


class _Decoded(msgspec.Struct):
    """What the child answers of a picture."""

    png: bytes = b""
    why: str = ""


def save_pictures(packed: Packed, digest: str, out: Path) -> int:
    """Keep the pictures of a bot where those that draw its matches look; return how many.

    Raises: BadPicture, EngineFailure.
    """
    found = pictures_by_purpose(packed.files) if packed.is_folder else {}
    if len(found) > MAX_PICTURES:
        raise BadPicture(
            f"there are {len(found)} pictures of the bot, from {next(iter(found.values()))} on; "
            f"{MAX_PICTURES} are allowed"
        )
    if found:
        pngs = {purpose: _redraw_png(name, packed.files[name]) for purpose, name in found.items()}
        save_sprites(make_custom_sprites(pngs), out, digest)
    return len(found)


def _redraw_png(name: str, content: bytes) -> bytes:
    """Return a new PNG file of an untrusted one. Raises: BadPicture, EngineFailure."""
    child = ConfinedChild(_reencode_in_child, most_bytes=MEGABYTE)
    try:
        found = msgspec.msgpack.decode(child.ask(content), type=_Decoded)
    except (TimeoutError, EOFError, msgspec.MsgspecError):
        found = _Decoded(why=TOO_MUCH)
    finally:
        child.end()
    if found.why:
        raise BadPicture(f"{name}: {found.why}; {EXPECTED}")
    return found.png


def _reencode_in_child(content: bytes) -> bytes:
    try:
        return msgspec.msgpack.encode(_Decoded(png=reencode_content(content)))
    except Unfit as flaw:
        return msgspec.msgpack.encode(_Decoded(why=str(flaw)))
