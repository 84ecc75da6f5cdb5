"""The room of whole jobs: folders that appear whole or not at all; the command and the API call these."""
