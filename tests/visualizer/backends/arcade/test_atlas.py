"""Many pictures in one."""

from PIL import Image

from visualizer.backends.arcade.atlas import Atlas, Region


def red(side: int) -> Image.Image:
    return Image.new("RGBA", (side, side), (200, 0, 0, 128))


def test_a_picture_is_painted_once() -> None:
    painted = []

    def paint() -> Image.Image:
        painted.append(1)
        return red(10)

    atlas = Atlas()
    assert atlas.region("a", paint) == atlas.region("a", paint)
    assert painted == [1]


def test_pictures_do_not_touch() -> None:
    atlas = Atlas(64)
    first, second = atlas.region("a", lambda: red(10)), atlas.region("b", lambda: red(10))
    assert first == Region(1, 1, 10, 10)
    assert second == Region(13, 1, 10, 10)


def test_a_full_shelf_is_followed_by_the_next() -> None:
    atlas = Atlas(32)
    regions = [atlas.region(n, lambda: red(12)) for n in range(3)]
    assert regions[2] == Region(1, 15, 12, 12)


def test_a_full_atlas_begins_anew() -> None:
    atlas = Atlas(32)
    for number in range(5):
        atlas.region(number, lambda: red(12))
    assert atlas.generation == 1
    assert atlas.region(5, lambda: red(12)) == Region(15, 1, 12, 12)


def test_what_is_new_is_handed_out_once_with_colors_multiplied_by_opacity() -> None:
    atlas = Atlas()
    atlas.region("a", lambda: red(1))
    [upload] = atlas.take_uploads()
    assert (upload.x, upload.y, upload.width, upload.height) == (0, 0, 3, 3)
    assert upload.pixels[16:20] == bytes((100, 0, 0, 128))
    assert atlas.take_uploads() == []


def test_a_part_of_a_region_is_told_in_fractions() -> None:
    assert Region(10, 20, 40, 80).part(0.5, 0.25, 1, 1) == Region(30, 40, 20, 60)
