"""Game of Death: armies of programmable shapes capture a flag (docs/rules/game_of_death.md)."""
