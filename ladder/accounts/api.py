"""The API's doors for people: sign-up, login, me, tokens."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.accounts import serializers as json
from ladder.accounts.models import ApiToken, User
from ladder.accounts.services import token_create, token_revoke, user_sign_up
from ladder.common.errors import ForbiddenError, LadderError, NotFoundError
from ladder.common.permissions import ScopedOrReadOnly
from ladder.common.throttling import PasswordLimit


class WrongPasswordError(LadderError):
    code = "wrong_password"
    status = 401


class SignUpView(GenericAPIView[User]):
    """Make an account, where the house's doors are open or an invitation is given."""

    permission_classes = [AllowAny]
    authentication_classes = ()
    throttle_classes = [PasswordLimit]
    serializer_class = json.SignUpSerializer

    @extend_schema(responses={201: json.UserSerializer}, operation_id="sign_up")
    def post(self, request: Request) -> Response:
        fields = checked(self, request)
        user = user_sign_up(**{**fields, "invitation": fields["invitation"] or None})
        return Response(json.UserSerializer(user).data, status=status.HTTP_201_CREATED)


class LoginView(GenericAPIView[User]):
    """Exchange a name and a password for a token; `haunt login` comes here."""

    permission_classes = [AllowAny]
    authentication_classes = ()
    throttle_classes = [PasswordLimit]
    serializer_class = json.LoginSerializer

    @extend_schema(responses={201: json.NewTokenSerializer}, operation_id="login")
    def post(self, request: Request) -> Response:
        fields = checked(self, request)
        user = authenticate(request, username=fields.pop("username"), password=fields.pop("password"))
        if not isinstance(user, User):
            raise WrongPasswordError("Name or password is not right.")
        return _new_token(user, fields)


class MeView(GenericAPIView[User]):
    """Who I am."""

    permission_classes = [IsAuthenticated]
    serializer_class = json.UserSerializer

    @extend_schema(operation_id="me")
    def get(self, request: Request) -> Response:
        return Response(self.get_serializer(request.user).data)


class TokensView(ListAPIView[ApiToken]):
    """My tokens. A token is made by a session, or by a token with every scope that the new one gets."""

    permission_classes = [IsAuthenticated, ScopedOrReadOnly]
    serializer_class = json.TokenSerializer
    write_scope = "upload"

    def get_queryset(self) -> Any:
        if not self.request.user.is_authenticated:  # the schema is drawn by nobody
            return ApiToken.objects.none()
        return ApiToken.objects.filter(user=self.request.user)

    @extend_schema(request=json.TokenRequestSerializer, responses={201: json.NewTokenSerializer})
    def post(self, request: Request) -> Response:
        form = json.TokenRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        own: list[str] | None = getattr(request.auth, "scopes", None)
        if own is not None and not set(form.validated_data["scopes"]) <= set(own):
            raise ForbiddenError("A token can only make tokens that may do no more than itself.")
        return _new_token(signed_in(request), form.validated_data)


class TokenView(GenericAPIView[ApiToken]):
    """One of my tokens."""

    permission_classes = [IsAuthenticated, ScopedOrReadOnly]
    serializer_class = json.TokenSerializer

    @extend_schema(responses={204: None})
    def delete(self, request: Request, token_id: str) -> Response:
        token = ApiToken.objects.filter(user=signed_in(request), public_id=token_id).first()
        if token is None:
            raise NotFoundError("You have no such token.")
        token_revoke(token=token)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _new_token(user: User, fields: dict[str, Any]) -> Response:
    token, key = token_create(user=user, **fields)
    body = {"id": token.public_id, "token": key, "scopes": token.scopes, "expires_at": token.expires_at}
    return Response(json.NewTokenSerializer(body).data, status=status.HTTP_201_CREATED)


def checked(view: GenericAPIView[Any], request: Request) -> dict[str, Any]:
    """The request's fields, as the view's serializer reads them. Raises ValidationError."""
    form = view.get_serializer(data=request.data)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


def signed_in(request: Request) -> User:
    """The user, behind a permission that lets only the signed-in through."""
    if not isinstance(request.user, User):
        raise ForbiddenError("Sign in first.")
    return request.user
