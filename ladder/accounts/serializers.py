"""JSON of users and tokens."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ladder.accounts.models import ApiToken, User
from ladder.accounts.services import TOKEN_DAYS, TOKEN_DAYS_AT_MOST

DEFAULT_SCOPES = [ApiToken.Scope.READ, ApiToken.Scope.UPLOAD, ApiToken.Scope.ENTER]


class UserSerializer(serializers.ModelSerializer[User]):
    id = serializers.UUIDField(source="public_id", read_only=True)

    class Meta:
        model = User
        fields = ["id", "username", "email", "is_staff", "date_joined"]


class SignUpSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, write_only=True, trim_whitespace=False)
    email = serializers.EmailField(required=False, allow_blank=True, default="")
    invitation = serializers.CharField(required=False, allow_blank=True, default="", max_length=100)


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    id = serializers.UUIDField(source="public_id", read_only=True)

    class Meta:
        model = ApiToken
        fields = ["id", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at"]


class TokenRequestSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=60)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=ApiToken.Scope.choices), default=DEFAULT_SCOPES, min_length=1
    )
    days = serializers.IntegerField(default=TOKEN_DAYS, min_value=1, max_value=TOKEN_DAYS_AT_MOST)


class LoginSerializer(TokenRequestSerializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, write_only=True, trim_whitespace=False)


class NewTokenSerializer(serializers.Serializer[Any]):
    """The only time that the key is shown."""

    id = serializers.UUIDField()
    token = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField()
