"""What lies in resources/."""
