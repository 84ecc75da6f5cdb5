"""The documentation site: pages of docs/, pages about everything registered, the API, and what joins them."""
