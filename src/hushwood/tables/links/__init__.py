"""Links between columns: what always holds between the values of a record, and must hold in its release too."""
