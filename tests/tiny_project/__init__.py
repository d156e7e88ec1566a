"""What tests/test_bootstrap.py copies and sets up."""
