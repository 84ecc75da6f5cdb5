"""Tables in databases. Only this folder imports their drivers, by name, because they are an extra."""
