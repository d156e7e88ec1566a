"""How matches are planned, played side by side and summed up."""
