"""The papers' own tables and experiments, one file each; they call the jobs, never the command."""
