"""A frame of a film as a picture, drawn with Pillow: no screen, no OpenGL."""
