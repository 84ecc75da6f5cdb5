"""A release in which a person, or a household, is one record: its rows stay together and share its constant columns."""
