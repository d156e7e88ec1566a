"""What is no code: presets and sprites, and the program that draws these."""
