"""The room of plans: which technique for which column over which segments, and the certificate."""
