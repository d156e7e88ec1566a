"""Settings and seeds for properties that must hold for all boards."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.games.slime_mind.settings import Settings

seeds = st.integers(0, 2**64 - 1)


@st.composite
def settings_of_small_maps(draw: DrawFn) -> Settings:
    """Draw any small map, from nearly empty to full, with any numbers that are allowed."""
    columns, rows = draw(st.integers(2, 9)), draw(st.integers(2, 7))
    slimes = draw(st.integers(1, min(4, columns // 2 * rows)))
    room = columns * rows // 2 - slimes
    rocks = draw(st.integers(0, min(4, room)))
    plants = draw(st.integers(0, room - rocks))
    hp_per_level = draw(st.integers(1, 9))
    percents, levels = st.integers(0, 100), st.integers(1, 12)
    return Settings(
        columns=columns,
        rows=rows,
        y_up=draw(st.booleans()),
        max_turns=draw(st.integers(1, 25)),
        slime_pairs=slimes,
        rock_pairs=rocks,
        plant_pairs=plants,
        plant_max_level=draw(st.sampled_from((1, 2, 3, 4, 1_000))),
        plant_level_chance_pct=draw(percents),
        plant_seed_chance_pct=draw(percents),
        plant_hp_per_level=hp_per_level,
        plant_start_hp=draw(st.integers(1, hp_per_level)),
        slime_max_level=draw(levels),
        min_split_level=draw(levels),
        split_divisor=draw(st.integers(1, 20)),
        merge_heals=draw(st.booleans()),
        bite_hp=draw(st.integers(0, 20)),
        bite_xp=draw(st.sampled_from((0, 1, 2, 60, 10_000))),
        king_level=draw(levels),
    )
