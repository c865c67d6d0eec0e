"""ASGI entry: pages, API and live views in one process."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings.base")
application = get_asgi_application()
