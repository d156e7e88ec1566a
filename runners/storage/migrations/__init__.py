"""The steps from one revision of the tables to the next; a released one is never changed."""
