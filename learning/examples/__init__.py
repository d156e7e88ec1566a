"""Programs that show how the environments are used, and how good simple policies are."""
