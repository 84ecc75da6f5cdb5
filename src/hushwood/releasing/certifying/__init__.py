"""What the certificate is made of: columns as they are compared, ways through trees, groups of records and counts."""
