"""Builds the documentation as a site of static pages, with MkDocs."""
