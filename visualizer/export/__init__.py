"""Films made into files: pictures, animations, videos and pages, without a screen."""
