"""Ratings as the latest fit of a season left them."""

from __future__ import annotations

from django.db import models

from ladder.matches.models import Season
from ladder.programs.models import Version


class Fit(models.Model):
    """One maximum-a-posteriori fit of all results of a season."""

    season = models.OneToOneField(Season, on_delete=models.CASCADE, related_name="fit")
    bundles = models.PositiveIntegerField(default=0)
    """Finished ladder bundles that were read; the season is due again when there are more."""
    matches = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    """From reading the results to the last row written."""
    fitted_at = models.DateTimeField()
    versions = models.JSONField(default=list)
    """Ids of the versions that were active and had results, in the order of the rows of `covariance`."""
    covariance = models.BinaryField(default=b"")
    """float64, n x n, Elo squared; ladder.ratings.fit.Strengths says what it means."""

    def __str__(self) -> str:
        return f"fit of {self.season}"


class Rating(models.Model):
    """Strength of one version in one season on the Elo scale, with its standard error."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="ratings")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="ratings")
    elo = models.FloatField()
    standard_error = models.FloatField()
    bundles = models.PositiveIntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)
    faulted = models.PositiveIntegerField(default=0)
    """Matches in which it committed a fault."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "version"], name="one_rating_a_season")]
        indexes = [models.Index(fields=["season", "-elo"])]

    def __str__(self) -> str:
        return f"{self.version}: {self.elo:.0f} ± {1.96 * self.standard_error:.0f}"


class RatingPoint(models.Model):
    """A version's rating after a fit, kept for its curve; at most one an hour."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="points")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="rating_points")
    at = models.DateTimeField()
    elo = models.FloatField()
    standard_error = models.FloatField()

    class Meta:
        indexes = [models.Index(fields=["season", "version", "at"])]

    def __str__(self) -> str:
        return f"{self.version} at {self.at:%Y-%m-%d %H:%M}"
