"""The steps of databases that held results alone, up to the tables that all databases have."""
