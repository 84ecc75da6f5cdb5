"""One module for each page of the web app."""
