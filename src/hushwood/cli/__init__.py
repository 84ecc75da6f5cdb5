"""The command line: options to jobs, results to the terminal."""
