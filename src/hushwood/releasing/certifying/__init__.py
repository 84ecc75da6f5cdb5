"""What the certificate is made of: records that are followed, columns that are checked, and counts of groups."""
