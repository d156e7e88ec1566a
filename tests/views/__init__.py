"""Every game in every way of watching: golden pictures, and a sheet with all of them."""
