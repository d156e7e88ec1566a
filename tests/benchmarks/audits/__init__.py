"""That the audits count right, and are listed."""
