"""Forms of the pages. What they check is form; whether it may be done, the services say."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib.auth.forms import AuthenticationForm

from bots.kits import kit_path
from bots.program import LANGUAGES
from ladder.accounts.models import ApiToken, User
from ladder.common.errors import LadderError
from ladder.programs.models import Bot
from ladder.web.templatetags.house import LANGUAGES as LANGUAGE_NAMES

SOURCE_NAMES: Final = {"python": "main.py", "javascript": "main.js"}
"""What a program written into the text field is called."""


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
        label="Language of the text", choices=[(key, LANGUAGE_NAMES.get(key, key)) for key in LANGUAGES]
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


def refuse(form: forms.Form, error: LadderError) -> None:
    """A service said no: its sentence on the form, its code small beside it."""
    form.add_error(None, forms.ValidationError(error.message, code=error.code))
