# Two images from one file: `web` (site, API, ladder workers, beat) and `worker` (strangers' programs).
FROM python:3.11-slim AS python
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/hauntladder

FROM python AS web
COPY requirements/base.lock requirements/base.lock
RUN pip install --require-hashes -r requirements/base.lock
COPY manage.py pyproject.toml ./
COPY engine engine
COPY bots bots
COPY ladder ladder
COPY docs docs
RUN useradd --system --home-dir /srv/hauntladder hauntladder && install -d -o hauntladder var
USER hauntladder
EXPOSE 8000
CMD ["gunicorn", "ladder.wsgi:application", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", "--workers", "2", "--threads", "4"]

# What bots may be written in is what is installed here: docs/languages.md.
# No Django, no database driver, no code of the ladder. It starts as root, so that every bot gets a uid of its
# own; docker-compose.yml takes all other powers of root away.
FROM python AS worker
RUN mkdir -p /usr/share/man/man1 \
 && apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap util-linux \
      python3-numpy nodejs gcc g++ rustc golang-go default-jdk-headless \
 && rm -rf /var/lib/apt/lists/*
COPY requirements/worker.lock requirements/worker.lock
RUN pip install --require-hashes -r requirements/worker.lock
COPY engine engine
COPY bots bots
COPY workers workers
CMD ["python", "-m", "celery", "-A", "workers.celery:app", "worker", "-Q", "build,match"]
