"""docker-compose.yml and `make up` run the same processes."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from ladder.common.embedded import services
from ladder.common.embedded.valkey import worker_acl

ROOT = Path(__file__).resolve().parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
# `make up` migrates and seeds in the supervisor itself.
ONLY_HERE = {"prepare"}


def test_the_lists_are_the_same() -> None:
    ours = {*services.SERVERS, services.web("", 0).name, *(one.name for one in services.CELERY_SERVICES)}
    assert set(SERVICES) - ONLY_HERE == ours


@pytest.mark.parametrize("service", services.CELERY_SERVICES, ids=lambda service: service.name)
def test_the_commands_are_the_same(service: services.Service) -> None:
    assert SERVICES[service.name]["command"] == ["python", "-m", service.module, *service.arguments]


@pytest.mark.parametrize("name", sorted(set(SERVICES) - set(services.SERVERS)))
def test_each_command_exists(name: str) -> None:
    command = SERVICES[name]["command"]
    if command[0] == "python":
        assert importlib.util.find_spec(command[2]) is not None
        _module_exists(command[command.index("-A") + 1])
    elif command[0] == "sh":
        for subcommand in re.findall(r"manage\.py (\w+)", command[2]):
            assert subcommand in {"migrate", "seed_house"}
    else:
        assert shutil.which(command[0], path=str(Path(sys.executable).parent)) is not None
        _module_exists(command[1])


def _module_exists(target: str) -> None:
    module, _, name = target.partition(":")
    assert hasattr(importlib.import_module(module), name)


def test_a_match_worker_gets_no_secret_of_the_ladder() -> None:
    worker = SERVICES["match-worker"]
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"} & set(worker["environment"]) == set()
    text = str(worker)
    assert "SECRET_KEY" not in text
    assert "POSTGRES_PASSWORD" not in text
    assert worker["networks"] == ["workers"]
    assert "workers" not in SERVICES["postgres"]["networks"]
    assert worker.get("privileged", False) is False
    assert worker["cap_drop"] == ["ALL"]
    assert "SYS_ADMIN" not in worker["cap_add"]


def test_the_workers_login_is_as_narrow_as_at_home() -> None:
    command: list[str] = SERVICES["redis"]["command"]
    said = command[command.index("--user") + 1]
    rules = re.sub(r"\$\{WORKER_BROKER_PASSWORD:\?[^}]*\}", "secret", said).split()
    ours = worker_acl("secret").split()[1:]
    assert sorted(rules) == sorted(ours)
    # Rules of commands count in their order.
    assert [rule for rule in rules if rule[0] in "+-"] == [rule for rule in ours if rule[0] in "+-"]


def test_secrets_have_no_default_and_the_example_names_them_all() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    asked = set(re.findall(r"\$\{([A-Z_]+):\?", text))
    optional = set(re.findall(r"\$\{([A-Z_]+):-", text))
    example = (ROOT / ".env.example").read_text()
    assert set(re.findall(r"^([A-Z_]+)=$", example, re.MULTILINE)) == asked
    assert set(re.findall(r"^#([A-Z_]+)=", example, re.MULTILINE)) == optional
    secrets = {name for name in asked | optional if re.search(r"SECRET|PASSWORD|TOKEN", name)}
    assert secrets <= asked
