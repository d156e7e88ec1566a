"""SMAC: slime moulds on a petri dish, with sealed orders (docs/rules/smac.md)."""
