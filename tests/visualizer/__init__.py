"""How matches are watched."""
