"""`python -m workers.cli` is `haunt`."""

import sys

from workers.cli import main

if __name__ == "__main__":
    sys.exit(main())
