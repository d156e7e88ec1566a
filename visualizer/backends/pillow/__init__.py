"""Draws a frame of a replay as a picture with Pillow: no screen, no OpenGL."""
