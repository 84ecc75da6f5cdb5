"""`python -m hushwood` is the `hushwood` command."""

from hushwood.cli.main import run

if __name__ == "__main__":
    run()
