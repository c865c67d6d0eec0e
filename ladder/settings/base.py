"""One set of settings for every place: what differs comes from the environment."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from ladder.settings import environment as env

# Lets classes such as ModelAdmin name what they are about, as the type checker asks.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent.parent

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.text("SECRET_KEY")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
PUBLIC_URL = env.text("PUBLIC_URL", "http://127.0.0.1:8000").rstrip("/")
"""Address that people and workers reach this site under; artefact and report URLs begin with it."""

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "ladder.common",
    "ladder.accounts",
    "ladder.programs",
    "ladder.matches",
    "ladder.ratings",
    "ladder.matchmaking",
    "ladder.tournaments",
    "ladder.web",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "ladder.common.throttling.RateLimitHeaders",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "ladder.urls"
WSGI_APPLICATION = "ladder.wsgi.application"
ASGI_APPLICATION = "ladder.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Under ASGI a kept connection leaks (one for each thread that ever served); the pool does not.
DATABASES = {
    "default": {
        **dj_database_url.parse(env.text("DATABASE_URL"), conn_max_age=0),
        "OPTIONS": {
            "pool": {"min_size": 0, "max_size": env.number("DATABASE_POOL", 8, least=1), "timeout": 10}
        },
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["ladder.accounts.backends.GuessLimitedBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/desk/"
LOGOUT_REDIRECT_URL = "/"

REDIS_URL = env.text("REDIS_URL")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
# Served from the apps' own folders; nothing is collected anywhere.
WHITENOISE_USE_FINDERS = True

STORAGE_URL = env.text("STORAGE_URL", f"file://{BASE_DIR}/var/storage")
_storage = urlsplit(STORAGE_URL)
if _storage.scheme == "file":
    _blobs: dict[str, object] = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": _storage.path},
    }
elif _storage.scheme == "s3":
    _blobs = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": _storage.netloc,
            "location": _storage.path.lstrip("/"),
            "file_overwrite": True,
        },
    }
else:
    raise ImproperlyConfigured(f"STORAGE_URL is {STORAGE_URL!r}; use file:///folder or s3://bucket/prefix.")
STORAGES = {
    "default": _blobs,
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}

# An upload of 20 MiB is read by the intake's own capped reader; other bodies stay small.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    },
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
HTTPS = PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
BEHIND_PROXY = env.flag("BEHIND_PROXY")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "ladder.accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["ladder.common.permissions.ScopedOrReadOnly"],
    "DEFAULT_PAGINATION_CLASS": "ladder.common.pagination.CursorPages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_THROTTLE_CLASSES": ["ladder.common.throttling.RateLimit"],
    "DEFAULT_THROTTLE_RATES": {
        "anonymous": env.text("RATE_ANONYMOUS", "600/min"),
        "user": env.text("RATE_USER", "1200/min"),
        "password": env.text("RATE_PASSWORD", "20/min"),
    },
    "EXCEPTION_HANDLER": "ladder.common.errors.problem_handler",
    "PAGE_SIZE": 50,
    # Whose address a limit goes by: a stranger's X-Forwarded-For counts for nothing without a proxy of ours.
    "NUM_PROXIES": 1 if BEHIND_PROXY else 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Hauntladder",
    "DESCRIPTION": "Upload bots, watch them play haunted-house board games, read what they scored.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "ladder.common.schema.problems_added",
    ],
    "ENUM_NAME_OVERRIDES": {
        "VersionState": "ladder.programs.models.Version.State",
        "LadderVersionState": "ladder.matches.models.LadderVersion.State",
        "MatchStatus": "ladder.matches.models.Match.Status",
        "AttemptStatus": "ladder.matches.models.Attempt.Status",
        "TournamentState": "ladder.tournaments.models.Tournament.State",
    },
}

# Celery has a spelling of its own for a socket's address.
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1).replace("?db=0", "")

SIGNUP = env.choice("SIGNUP", ("open", "invite", "closed"), "open")
_email = urlsplit(env.text("EMAIL_URL", "console://"))
EMAIL_BACKEND = (
    f"django.core.mail.backends.{'smtp' if _email.scheme.startswith('smtp') else 'console'}.EmailBackend"
)
EMAIL_HOST = _email.hostname or "localhost"
EMAIL_PORT = _email.port or 25
EMAIL_HOST_USER = _email.username or ""
EMAIL_HOST_PASSWORD = _email.password or ""
EMAIL_USE_TLS = _email.scheme == "smtp+tls"
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "hauntladder@localhost")

UPLOADS_PER_DAY = env.number("UPLOADS_PER_DAY", 20, least=1)
BUILDS_WAITING = env.number("BUILDS_WAITING", 3, least=1)
BOTS_PER_LADDER = env.number("BOTS_PER_LADDER", 3, least=1)
BUNDLES_PER_DAY = env.number("BUNDLES_PER_DAY", 500, least=1)
SERIES_MINUTES = env.number("SERIES_MINUTES", 10, least=1)
LADDER_AIM_ELO = env.number("LADDER_AIM_ELO", 20, least=1)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {
        "handlers": ["console"],
        "level": env.choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO"),
    },
}
