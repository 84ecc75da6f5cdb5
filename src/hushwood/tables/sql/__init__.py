"""Tables in databases: PostgreSQL and SQLite by ADBC, DuckDB by its own package. Only this folder imports them."""
