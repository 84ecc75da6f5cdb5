"""What an intruder learns about one record: thesis chapter 8."""
