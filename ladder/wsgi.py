"""WSGI entry: pages and API under gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings.base")
application = get_wsgi_application()
