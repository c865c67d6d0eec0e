"""Forms of the pages. What they check is form; whether it may be done, the services say."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.contrib.auth.forms import AuthenticationForm

from bots.kits import kit_path
from bots.languages import LANGUAGES
from ladder.accounts.models import ApiToken, User
from ladder.common.errors import LadderError
from ladder.matches.models import Ladder
from ladder.programs.models import Bot
from ladder.tournaments.formats.terms import Format
from ladder.tournaments.plans import PlanData

SOURCE_NAMES: Final = {row.key: row.entries[0] for row in LANGUAGES.values()}
"""What a program written into the text field is called."""


FORMATS: Final = [
    (Format.SWISS.value, "Swiss"),
    (Format.ROUND_ROBIN.value, "round robin"),
    (Format.SINGLE_ELIMINATION.value, "single elimination"),
    (Format.DOUBLE_ELIMINATION.value, "double elimination"),
    (Format.GROUPS.value, "groups, then a knock-out"),
    (Format.GAUNTLET.value, "gauntlet: the strongest against all"),
    (Format.SCORE_ATTACK.value, "score attack, for co-operative games"),
]
STARTS: Final = [
    ("5", "in 5 minutes"),
    ("15", "in 15 minutes"),
    ("60", "in an hour"),
    ("360", "in 6 hours"),
    ("1440", "in a day"),
    ("10080", "in a week"),
]
"""Minutes until the start; the API takes any hour, and an earlier end of registration."""


def starter() -> str:
    """The kit's bot, as the text field holds it."""
    return (kit_path("python") / "main.py").read_text(encoding="utf-8")


class SignInForm(AuthenticationForm):
    """Django's, in our words."""

    error_messages = {
        "invalid_login": "Name or password is not right. Capitals count in both.",
        "inactive": "This account is closed.",
    }


class SignUpForm(forms.Form):
    username = forms.CharField(
        label="Name",
        max_length=150,
        help_text="Shown beside your bots.",
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    email = forms.EmailField(
        label="E-mail",
        required=False,
        help_text="Only to set a new password. You may leave it empty.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label="Password",
        strip=False,
        help_text="Eight characters or more.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class BotForm(forms.Form):
    """Name and description of a bot."""

    name = forms.CharField(label="Name", max_length=40)
    description = forms.CharField(label="Description", max_length=300, required=False)


class UploadForm(forms.Form):
    """A bot, new or not, and its program: a file or a text."""

    bot = forms.ModelChoiceField(
        label="Bot",
        queryset=Bot.objects.none(),
        to_field_name="public_id",
        required=False,
        empty_label="a new bot",
    )
    name = forms.CharField(label="Name of the new bot", max_length=40, required=False)
    file = forms.FileField(
        label="File", required=False, help_text="One source file, a zip, or a tar.gz; up to 20 MiB."
    )
    language = forms.ChoiceField(
        label="Language of the text", choices=[(row.key, row.name) for row in LANGUAGES.values()]
    )
    source = forms.CharField(
        label="or write it here",
        required=False,
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocapitalize": "none"}),
    )
    note = forms.CharField(
        label="Note", max_length=300, required=False, help_text="What is new in it; optional."
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chooser = self.fields["bot"]
        if isinstance(chooser, forms.ModelChoiceField):
            chooser.queryset = Bot.objects.filter(members=user, retired_at=None).order_by("name")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("bot") and not cleaned.get("name"):
            self.add_error("name", "Give the new bot a name, or choose one of yours.")
        if not cleaned.get("file") and not (cleaned.get("source") or "").strip():
            self.add_error("file", "Choose a file, or write the bot into the field below.")
        return cleaned


class TokenForm(forms.Form):
    """A key for scripts."""

    name = forms.CharField(
        label="Name", max_length=60, help_text="Where you will use it, for instance: laptop."
    )
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=ApiToken.Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=[ApiToken.Scope.READ, ApiToken.Scope.UPLOAD, ApiToken.Scope.ENTER],
    )
    days = forms.IntegerField(label="Days it lives", min_value=1, max_value=366, initial=90)


class TournamentForm(forms.Form):
    """A tournament; whether its parts fit together, the plan's own check says."""

    title = forms.CharField(label="Title", max_length=80)
    ladder = forms.ModelChoiceField(
        label="Played as",
        queryset=Ladder.objects.none(),
        to_field_name="slug",
        empty_label=None,
        help_text="Gives the game, its options and the clock; bots that are active there may enter.",
    )
    format = forms.ChoiceField(label="Format", choices=FORMATS)
    seats = forms.IntegerField(label="Seats at a table", min_value=1, max_value=5, initial=2)
    advance = forms.IntegerField(
        label="How many of a table go on", min_value=1, max_value=4, initial=1, help_text="Eliminations."
    )
    rounds = forms.IntegerField(
        label="Rounds",
        min_value=1,
        required=False,
        help_text="Swiss and score attack; empty: as many as it takes.",
    )
    groups = forms.IntegerField(
        label="Groups", min_value=1, initial=1, help_text="Groups, then a knock-out: two or more."
    )
    qualify = forms.IntegerField(label="Of each group go on", min_value=1, initial=2)
    bundles = forms.IntegerField(label="Bundles at each table", min_value=1, max_value=20, initial=1)
    starts_in = forms.ChoiceField(label="Starts", choices=STARTS, initial="60")
    min_entries = forms.IntegerField(label="Least entries", min_value=2, initial=2)
    max_entries = forms.IntegerField(label="Most entries", min_value=2, initial=128)
    house_fills = forms.BooleanField(label="House bots fill the last table", required=False, initial=True)
    is_listed = forms.BooleanField(
        label="List it for everybody", required=False, help_text="Admins alone can."
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chooser = self.fields["ladder"]
        if isinstance(chooser, forms.ModelChoiceField):
            chooser.queryset = Ladder.objects.filter(is_open=True).order_by("slug")
        if not user.is_staff:
            del self.fields["is_listed"]

    def asked(self, *, now: datetime) -> dict[str, Any]:
        """What `tournament_create` takes."""
        values = dict(self.cleaned_data)
        starts_at = now + timedelta(minutes=int(values.pop("starts_in")))
        plan = PlanData(**{**values, "format": Format(values["format"])})
        return {"plan": plan, "registration_ends_at": starts_at, "starts_at": starts_at}


def refuse(form: forms.Form, error: LadderError) -> None:
    """A service said no: its sentence on the form, its code small beside it."""
    field = next(iter(error.data.get("fields", {})), None)
    form.add_error(
        field if field in form.fields else None, forms.ValidationError(error.message, code=error.code)
    )
