"""What all backends share when they draw: colors, geometry, layouts and sprites."""
