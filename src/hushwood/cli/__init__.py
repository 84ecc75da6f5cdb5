"""The room of the command: words to jobs, results to the terminal."""
