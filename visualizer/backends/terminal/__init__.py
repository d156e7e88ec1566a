"""The terminal viewer: colors and letters by escape sequences, no library."""
