"""Names: which people may have, and which look like those of others."""

import pytest
from sqlalchemy import update

from engine.errors import UsageError
from runners.storage.database import Database
from runners.storage.game_tables import people
from server.groups.groups import Groups
from server.identity.groups import NotPossible
from server.identity.names import BadName, looks_like_one_of, stray_mark, validate_name
from server.operations.health import look_alike_names
from tests.cases import for_each
from tests.server.contests.field import CHOICES, bot_in, person_in
from tests.server.contests.test_ladder_admin_pages import FORM
from tests.server.members import Server, page_text

REAL = (
    *("Ann Lee", "José Núñez", "Zoë Müller", "François", "Søren Ørsted", "Håkon Ås", "Þórður"),
    *("Łukasz Żuk", "Jiří Dvořák", "Ľubomír", "Őze Csűrös", "Ștefan Țară", "Ģirts Ķēniņš"),
    *("Jonė Šiaučiūnaitė", "Ġorġ Ħaż", "İnci Işık", "Gülşen Çağrı", "Nguyễn Thọ", "Đặng Ữ"),  # noqa: RUF001
    *("Chukwuemeka Ṅwa", "Ọlá Adébáyọ̀", "Olúṣẹ́gun", "Ṣẹ̀yẹ", "Ẹniọlá O̩", "Tâi O͘-a̍", "Ŋɔ̃ŋɔ̀"),
    *("Ἀλέξανδρος", "Ελένη Μαΐου", "Иван Чайка", "Їжак Ґедзь", "Ђорђе Њ", "Ёлка Ў", "Ҡазан Ә"),
    *("Վարդան Մամիկ", "თამარ ბერიძე", "דָּוִד כֹּהֵן", "מרים", "محمد آل نهيان", "فَاطِمَة", "ؤائئة"),
    *("अर्जुन क्षत्रिय", "রবীন্দ্রনাথ", "ਗੁਰਪ੍ਰੀਤ", "કૃષ્ણા", "தமிழ்ச்செல்வி", "శ్రీనివాస్", "ಕೃಷ್ಣಮೂರ್ತಿ"),
    *("ശ്രീകുമാർ", "සුනිල් පෙරේරා", "ประยุทธ์ น้ำ", "ສົມສັກ", "အောင်ဆန်းစုကြည်", "សុខា ខ្មែរ"),
    *("བསྟན་འཛིན", "ᠮᠣᠩᠭᠣᠯ", "አበበ ቢቂላ", "王小明", "葛\U000e0100城", "がぎ ぱぴ", "ジョン", "김철수"),
)


@for_each("name", REAL)
def test_a_name_that_people_have_is_accepted(name: str) -> None:
    assert stray_mark(name) == ""
    validate_name(name)


def test_real_names_are_of_many_scripts() -> None:
    assert len(set(REAL)) >= 50
    one_by_one = [one for one in REAL if looks_like_one_of(one, set(REAL) - {one})]
    assert one_by_one == []


@for_each(
    "mark",
    [
        *(
            "\u0334",
            "\u0335",
            "\u0336",
            "\u0337",
            "\u0338",
            "\u20d2",
            "\u20d8",
            "\u20e5",
        ),  # over it
        *("\u0488", "\u0489", "\u20dd", "\u20de", "\u20e0", "\u20e3"),  # around it
        *("\u0305", "\u0332", "\u0333", "\u033f", "\u035f", "\u0360", "\u0361"),  # lines and ties
        *("\u030e", "\u0310", "\u031a", "\u033d", "\u0346", "\u0363", "\u036f", "\u1ab0", "\u1dc4"),
        *("\u20d0", "\u20d7", "\u20f0", "\ufe20", "\ufe26"),  # of symbols, and halves
        *("\u064b", "\u3099"),  # those of other scripts
    ],
    name_of=ascii,
)
def test_a_mark_that_no_language_writes_upon_a_letter_is_refused(mark: str) -> None:
    with pytest.raises(BadName, match=rf"no language writes the mark U\+{ord(mark):04X} "):
        validate_name(f"Bo{mark}ss")
    assert looks_like_one_of(f"Boss{mark}", ["boss"])  # where it was accepted before


@for_each("typed", ["\u0301Boss", "Bo \u0301ss", "Boss 7\u0301", "Bo\u0301\u0301ss"])
def test_a_mark_upon_no_letter_or_for_a_second_time_is_refused(typed: str) -> None:
    with pytest.raises(BadName, match="no language writes the mark"):
        validate_name(typed)


@for_each(
    "typed",
    [
        *("Boss\ufe0f", "B\ufe00oss", "Boss\u034f", "Boss\U000e0100", "Bo\u17b4ss", "BO\u180bSS"),
        *("Boss\u0307", "Bo\u0323ss", "\u1e02oss", "BOSS\u0307\ufe0f"),
    ],
    name_of=ascii,
)
def test_what_readers_do_not_see_makes_no_other_name(typed: str) -> None:
    assert looks_like_one_of(typed, ["Boss"])
    assert looks_like_one_of("boss", [typed])


@for_each("one, other", [("José", "Jose"), ("Müller", "Muller"), ("Łuk", "Luk"), ("Đan", "Dan")])
def test_letters_that_readers_tell_apart_make_another_name(one: str, other: str) -> None:
    assert not looks_like_one_of(one, [other])


def test_invisible_letters_are_not_counted() -> None:
    with pytest.raises(BadName, match="2 to 24 letters; this one has 1"):
        validate_name("B\ufe0f\ufe0f")


@for_each(
    "typed, reason",
    [
        ("HOUSE", "bots that came with the server"),
        ("The House\ufe0f", "bots that came with the server"),
        ("Deleted\u034f", "people who have left"),
        ("Boss (guest)\ufe0f", "those of guests"),
        ("Boss (REMOTE bot)", "those of guests"),
    ],
)
def test_reserved_names_are_reserved_with_invisible_letters_too(typed: str, reason: str) -> None:
    with pytest.raises(BadName, match=reason):
        validate_name(typed)


def test_groups_ladders_and_tournaments_have_no_names_that_look_alike(server: Server) -> None:
    groups = Groups(server.storage.database)
    group, _ = groups.make("Class 10b", "")
    with pytest.raises(NotPossible, match="there is a group called Class l0b already, or one"):
        groups.make("Class l0b", "")
    groups.change(group, "Class 10b", "a note")
    page = page_text(server.organizer().post("/admin/contests", {**FORM, "name": "SIime Mind"}))
    assert "there is a ladder called SIime Mind already, or one that looks like it" in page
    contests = server.site.contests
    ladder, tournaments = contests.ladders.all()[0], contests.tournaments
    tournaments.make("Cup_1", ladder, tournaments.candidates(ladder.id), CHOICES)
    with pytest.raises(UsageError, match="there is a tournament called cup_l already, or"):
        tournaments.require_new("cup_l")


def test_names_that_clash_are_listed_to_the_organizer(database: Database) -> None:
    assert database.find(look_alike_names()) == []
    for number, name in enumerate(("Boss", "Boss\ufe0f", "Bos\u1e61", "Ann", "house")):
        given = update(people).where(people.c.id == person_in(database, f"person {number}"))
        database.write(given.values(name=name))
    ann = person_in(database, "Ben")
    for author, name in (
        (ann, "bot"),
        (person_in(database, "Cid"), "bo\u0335t"),
        (ann, "bo\u0336t"),
    ):
        bot_in(database, author, name)
    assert database.find(look_alike_names()) == [
        "accounts: Boss, Boss\ufe0f (Boss\\ufe0f), Bos\u1e61 (Bos\\u1e61)",
        "accounts: house",
        "bots of slime_mind: bot, bo\u0335t (bo\\u0335t), bo\u0336t (bo\\u0336t)",
    ]
