"""Coming in: signing up, invitations, signing in and out, a new password."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login, views
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy

from ladder.accounts.services import user_sign_up
from ladder.common.errors import LadderError
from ladder.web.forms import SignInForm, SignUpForm, refuse


def sign_up(request: HttpRequest, token: str | None = None) -> HttpResponseBase:
    """An account, where the house lets one in; with an invitation always."""
    if token is None and settings.SIGNUP != "open":
        return render(request, "web/no_sign_up.html", {"mode": settings.SIGNUP})
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = user_sign_up(**form.cleaned_data, invitation=token)
        except LadderError as error:
            refuse(form, error)
        else:
            login(request, user)
            return redirect("web:desk")
    status = 400 if form.errors else 200
    return render(request, "web/sign_up.html", {"form": form, "token": token}, status=status)


sign_in = views.LoginView.as_view(
    template_name="web/sign_in.html", authentication_form=SignInForm, redirect_authenticated_user=True
)
sign_out = views.LogoutView.as_view()
password_reset = views.PasswordResetView.as_view(
    template_name="web/password_reset.html",
    email_template_name="web/mail/password_reset.txt",
    subject_template_name="web/mail/password_reset_subject.txt",
    success_url=reverse_lazy("web:password-sent"),
)
password_sent = views.PasswordResetDoneView.as_view(template_name="web/password_sent.html")
password_set = views.PasswordResetConfirmView.as_view(
    template_name="web/password_set.html", success_url=reverse_lazy("web:desk"), post_reset_login=True
)
