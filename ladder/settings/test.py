"""Settings of the test suite: the same, but for secrets and slow hashing."""

import os

os.environ.setdefault("SECRET_KEY", "only-for-tests-never-served")
os.environ.setdefault("DATABASE_URL", "postgres://test@localhost/test")
os.environ.setdefault("REDIS_URL", "redis://localhost:6379/0")

from ladder.settings.base import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
