"""Addresses below /api/v1/ for people."""

from __future__ import annotations

from django.urls import path

from ladder.accounts import api

urlpatterns = [
    path("sign-up", api.SignUpView.as_view(), name="sign-up"),
    path("login", api.LoginView.as_view(), name="login"),
    path("me", api.MeView.as_view(), name="me"),
    path("me/tokens", api.TokensView.as_view(), name="tokens"),
    path("me/tokens/<uuid:token_id>", api.TokenView.as_view(), name="token"),
]
