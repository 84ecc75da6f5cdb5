"""The local web app: forms that start the same jobs and show the same reports, on this machine only."""
