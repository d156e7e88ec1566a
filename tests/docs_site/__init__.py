"""The site that is built from the documents."""
