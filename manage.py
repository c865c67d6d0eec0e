#!/usr/bin/env python
"""Django's entry point."""

import os
import sys

from django.core.management import execute_from_command_line

from ladder.common.embedded.environment import adopt

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings.base")
    adopt(os.environ, sys.argv)
    execute_from_command_line(sys.argv)
