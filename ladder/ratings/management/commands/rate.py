"""`manage.py rate` fits every season now; with `--verify` it holds what is stored against the results."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ladder.matches.models import Season
from ladder.ratings.services import season_rate, season_verify


class Command(BaseCommand):
    help = "Fit all results of every season."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--verify",
            action="store_true",
            help="fit from nothing and compare with what is stored; exit 1 where they differ",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        seasons = list(Season.objects.select_related("ladder").order_by("pk"))
        wrong = 0
        for season in seasons:
            if options["verify"]:
                differences = season_verify(season=season, now=timezone.now())
                wrong += len(differences)
                self.stdout.write(f"{season}: {'differs' if differences else 'good'}")
                for line in differences:
                    self.stdout.write(f"  {line}")
            else:
                fit = season_rate(season=season, now=timezone.now())
                said = f"{fit.matches} matches, {fit.seconds:.2f} s" if fit else "another process is at it"
                self.stdout.write(f"{season}: {said}")
        if wrong:
            raise CommandError(f"{wrong} numbers do not follow from the results; `manage.py rate` fits anew.")
