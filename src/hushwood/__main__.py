"""`python -m hushwood` is the `hushwood` command."""

from hushwood.cli.main import command

if __name__ == "__main__":
    command()
