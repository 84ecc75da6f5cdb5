"""The report on a release or an audit."""
