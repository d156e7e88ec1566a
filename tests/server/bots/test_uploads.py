"""What is handed in becomes the files of a bot, or is refused with the name of what is wrong."""

import io
import random
import zipfile
from collections.abc import Mapping

import pytest

from engine.bots.own_files import MAX_ENTRIES, MAX_FILES, MAX_SOURCE_BYTES, MAX_TOTAL_BYTES
from server.bots.uploads import BadUpload, Sent, Upload, parse_upload, size_summary
from tests.cases import for_each

BOT = b"class Player: ...\n"
LINK, PIPE, DEVICE, FOLDER = 0o120777, 0o010644, 0o020644, 0o040755


def zip_files(
    files: Mapping[str, bytes], mode: int = 0, method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """Return a zip, whose first entry has this mode."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for number, (name, text) in enumerate(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            entry.external_attr = mode << 16 if number == 0 else 0
            archive.writestr(entry, text)
    return content.getvalue()


def of_zip(content: bytes, name: str = "mine.zip") -> Upload:
    return parse_upload([Sent(name, content)])


def of_files(files: Mapping[str, bytes]) -> Upload:
    return parse_upload([Sent(name, text) for name, text in files.items()])


def both_ways(files: Mapping[str, bytes]) -> list[Upload]:
    return [of_files(files), of_zip(zip_files(files))]


def test_a_file_is_a_bot_of_one_file() -> None:
    for upload in both_ways({"player_mine.py": BOT}):
        assert upload.packed.files == {"player_mine.py": BOT}
        assert not upload.packed.is_folder
        assert (upload.name, upload.note) == ("mine", "")


def test_the_digest_is_that_of_the_bot_at_home() -> None:
    direct, in_folder = both_ways({"player_mine.py": BOT})
    assert direct.packed.digest == of_zip(zip_files({"deep/er/other.py": BOT})).packed.digest
    assert direct.packed.digest == in_folder.packed.digest


def test_a_folder_is_a_bot_of_several_files() -> None:
    files = {"mine/__init__.py": BOT, "mine/paths.py": b"", "mine/tables/a.bin": b"\0"}
    for upload in both_ways(files):
        assert list(upload.packed.files) == ["__init__.py", "paths.py", "tables/a.bin"]
        assert upload.packed.is_folder
        assert upload.name == "mine"


def test_a_player_among_other_files_becomes_the_entry() -> None:
    for upload in both_ways({"player_mine.py": BOT, "paths.py": b""}):
        assert list(upload.packed.files) == ["__init__.py", "paths.py"]
        assert "player_mine.py became __init__.py" in upload.note


def test_hidden_files_and_caches_are_left_out() -> None:
    files = {
        "mine/__init__.py": BOT,
        "mine/.git/config": b"x",
        "mine/__pycache__/a.pyc": b"x",
        "__MACOSX/mine/._a": b"x",
        ".DS_Store": b"x",
    }
    for upload in both_ways(files):
        assert list(upload.packed.files) == ["__init__.py"]


def test_what_a_browser_sends_for_an_empty_field_is_nothing() -> None:
    with pytest.raises(BadUpload, match="no file was sent"):
        parse_upload([Sent("", b"")])


@for_each(
    "name, why",
    [
        ("../player_up.py", r"has '\.\.' in its path"),
        ("a/../../player_up.py", r"has '\.\.' in its path"),
        ("/etc/player.py", "is an absolute path"),
        ("C:/player.py", "is an absolute path"),
        ("a//player.py", "has '' in its path"),
        ("./player.py", r"has '\.' in its path"),
        ("a\\player.py", "is not a name on every system"),
        ("..\\player.py", "is not a name on every system"),
        ("con.py", "is not a name on every system"),
        ("LPT1", "is not a name on every system"),
        ("a/NUL.txt/player.py", "is not a name on every system"),
        ("player.py.", "is not a name on every system"),
        ("player.py ", "is not a name on every system"),
        ("player?.py", "is not a name on every system"),
        ("player\u202eyp.py", "has invisible or control characters"),
        ("player\u200b.py", "has invisible or control characters"),
        ("player\x1b[31m.py", "has invisible or control characters"),
        ("player\n.py", "has invisible or control characters"),
        ("a" * 118 + ".py", "a name has at most 120 bytes"),
        ("ü" * 60 + ".py", "a name has at most 120 bytes"),
        ("a/" * 12 + "player.py", "lies in more than 11 folders"),
    ],
)
def test_a_name_that_could_lead_astray_is_refused(name: str, why: str) -> None:
    for files in ({name: BOT}, {"player_good.py": BOT, name: BOT}):
        with pytest.raises(BadUpload, match=why):
            of_files(files)
        with pytest.raises(BadUpload, match=why):
            of_zip(zip_files(files))


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"__init__.py": BOT, "Paths.py": b"", "paths.py": b""}, "paths.py: is the same name as"),
        ({"__init__.py": BOT, "A/x.py": b"", "a/y.py": b""}, "a: is the same name as A"),
        ({"__init__.py": BOT, "\xe9.py": b"", "e\u0301.py": b""}, "is the same name as"),
        ({"__init__.py": BOT, "a": b"", "a/b.py": b""}, "a: is a file and a folder at once"),
        ({"notes.txt": b""}, "there is no .py file"),
        ({"player_a.py": BOT, "player_b.py": BOT}, r"several bots \(player_a.py, player_b.py\)"),
        ({"a.py": BOT, "b.py": BOT}, "which file is the bot"),
        ({"mine/__init__.py": BOT, "README.md": b""}, "are some in mine: hand in that folder"),
        ({".hidden": b""}, "no files"),
    ],
)
def test_files_that_are_no_bot_are_refused(files: Mapping[str, bytes], why: str) -> None:
    with pytest.raises(BadUpload, match=why):
        of_files(files)
    with pytest.raises(BadUpload, match=why):
        of_zip(zip_files(files))


def test_a_file_that_comes_twice_is_refused() -> None:
    with pytest.raises(BadUpload, match=r"player_a.py: comes twice"):
        parse_upload([Sent("player_a.py", BOT), Sent("player_a.py", b"")])


def test_sizes_and_counts_are_limited_before_anything_is_unpacked() -> None:
    source = {"player_a.py": b" " * (MAX_SOURCE_BYTES + 1)}
    everything = {"__init__.py": BOT, "a.bin": bytes(MAX_TOTAL_BYTES)}
    many = {"__init__.py": BOT, **{f"{number}.txt": b"" for number in range(MAX_FILES)}}
    hidden = {"__init__.py": BOT, **{f".{number}": b"" for number in range(MAX_ENTRIES)}}
    for files, why in (
        (source, r"1 MB of source \(.py files\), and this one has 1.01 MB"),
        (everything, "32 MB of files, .* the largest is a.bin with 32 MB"),
        (many, "1001 files: a bot may have 1000"),
        (hidden, "10001|more than 10000"),
    ):
        with pytest.raises(BadUpload, match=why):
            of_files(files)
        with pytest.raises(BadUpload, match=why):
            of_zip(zip_files(files))


def test_a_bomb_is_refused_by_what_it_says_and_cut_where_it_lies() -> None:
    bomb = zip_files({"__init__.py": BOT, "a.bin": bytes(MAX_TOTAL_BYTES * 4)})
    assert len(bomb) < MAX_SOURCE_BYTES
    with pytest.raises(BadUpload, match="32 MB of files"):
        of_zip(bomb)
    size = (MAX_TOTAL_BYTES * 4).to_bytes(4, "little")
    assert bomb.count(size) == 2
    with pytest.raises(BadUpload, match=r"damaged|another size"):
        of_zip(bomb.replace(size, (1_000).to_bytes(4, "little")))


def test_overlapping_entries_are_refused() -> None:
    content = zip_files({"player_a.py": BOT * 9, "player_b.py": BOT * 9}, method=zipfile.ZIP_STORED)
    directory = content.rindex(b"PK\x01\x02")
    overlapping = content[: directory + 42] + bytes(4) + content[directory + 46 :]
    with pytest.raises(BadUpload, match="overlaps another file of the zip"):
        of_zip(overlapping)


@pytest.mark.parametrize("mode", [LINK, PIPE, DEVICE])
def test_links_and_devices_are_refused(mode: int) -> None:
    with pytest.raises(BadUpload, match=r"player_a.py: a (link|pipe or device)"):
        of_zip(zip_files({"player_a.py": b"/etc/passwd"}, mode))


def test_a_folder_of_its_own_entry_is_none_of_the_files() -> None:
    upload = of_zip(zip_files({"mine/": b"", "mine/__init__.py": BOT}, FOLDER))
    assert list(upload.packed.files) == ["__init__.py"]


def test_an_encrypted_zip_is_refused() -> None:
    content = bytearray(zip_files({"player_a.py": BOT}))
    content[6] |= 1
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(BadUpload, match=r"player_a.py: is encrypted"):
        of_zip(bytes(content))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_takes_much_memory_to_unpack_is_refused(method: int) -> None:
    with pytest.raises(BadUpload, match=r"player_a.py: is compressed in an unusual way"):
        of_zip(zip_files({"player_a.py": BOT}, method=method))


def test_a_zip_within_a_zip_is_not_unpacked() -> None:
    with pytest.raises(BadUpload, match=r"there is no \.py file"):
        of_zip(zip_files({"inner.zip": zip_files({"player_a.py": BOT})}))


def test_a_zip_that_was_damaged_anyhow_is_refused_or_read() -> None:
    content = zip_files({"mine/__init__.py": BOT, "mine/a.txt": b"a" * 99})
    chance = random.Random(7)
    refused = 0
    for _ in range(500):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(4, len(damaged))] = chance.randrange(256)
        length = chance.choice([len(damaged), chance.randrange(5, 400)])
        try:
            of_zip(bytes(damaged[:length]))
        except BadUpload:
            refused += 1
    assert refused > 100


def test_a_size_is_said_in_words() -> None:
    assert (
        size_summary(of_files({"player_a.py": BOT}).packed)
        == "1 file of 18 bytes; 18 bytes of source"
    )
