"""The API's doors for those who organise: open, pause, resume, move, cancel, clone, invite, let in late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.accounts.api import signed_in
from ladder.accounts.models import User
from ladder.common.errors import ForbiddenError, NotFoundError
from ladder.programs.api import bot_by_id
from ladder.tournaments import requests as asked
from ladder.tournaments import selectors
from ladder.tournaments import serializers as json
from ladder.tournaments.api import entry_context, filled, told
from ladder.tournaments.models import Tournament
from ladder.tournaments.services import organise
from ladder.tournaments.services.entries import entry_add_late
from ladder.tournaments.services.series import series_resume, series_stop

Door = TypeVar("Door", bound=Callable[..., Response])


class ActionView(APIView):
    """What an organiser does to a tournament; the answer is the tournament as it is then."""

    write_scope = "enter"

    def found(self, request: Request, slug: str) -> dict[str, Any]:
        """The tournament and who acts, as services ask for them."""
        return {
            "tournament": selectors.tournament_by_slug(request.user, slug),
            "actor": signed_in(request),
        }


def _action(
    name: str, form: type[asked.Strict] | None = None, code: int = status.HTTP_200_OK
) -> Callable[[Door], Door]:
    """The schema of one action."""
    drawn: Callable[[Door], Door] = extend_schema(
        operation_id=f"tournament_{name}", request=form, responses={code: json.TournamentSerializer}
    )
    return drawn


class OpenView(ActionView):
    """Open a draft for registration."""

    @_action("open")
    def post(self, request: Request, slug: str) -> Response:
        found = self.found(request, slug)
        organise.tournament_open(**found)
        return told(request, found["tournament"])


class PauseView(ActionView):
    """Lay nothing new until it is resumed; what is being played is played to its end."""

    @_action("pause")
    def post(self, request: Request, slug: str) -> Response:
        found = self.found(request, slug)
        organise.tournament_pause(**found)
        return told(request, found["tournament"])


class ResumeView(ActionView):
    """Go on where it was paused."""

    @_action("resume")
    def post(self, request: Request, slug: str) -> Response:
        found = self.found(request, slug)
        organise.tournament_resume(**found)
        return told(request, found["tournament"])


class MoveView(ActionView):
    """Move the start, before it has come."""

    @_action("move", asked.MoveRequest)
    def post(self, request: Request, slug: str) -> Response:
        found = self.found(request, slug)
        organise.tournament_move(**found, **filled(asked.MoveRequest, request).validated_data)
        return told(request, found["tournament"])


class CancelView(ActionView):
    """End it without ranks."""

    @_action("cancel", asked.CancelRequest)
    def post(self, request: Request, slug: str) -> Response:
        found = self.found(request, slug)
        organise.tournament_cancel(**found, **filled(asked.CancelRequest, request).validated_data)
        return told(request, found["tournament"])


class CloneView(ActionView):
    """The same plan once more, as a draft of one's own."""

    @_action("clone", asked.CloneRequest, status.HTTP_201_CREATED)
    def post(self, request: Request, slug: str) -> Response:
        found = self.found(request, slug)
        copy = organise.tournament_clone(**found, **filled(asked.CloneRequest, request).validated_data)
        return told(request, copy, status.HTTP_201_CREATED)


class InviteView(ActionView):
    """Who is invited; the organiser invites by name."""

    @extend_schema(operation_id="tournament_invited", responses=json.InvitedSerializer)
    def get(self, request: Request, slug: str) -> Response:
        tournament = selectors.tournament_by_slug(request.user, slug)
        if not selectors.organises(request.user, tournament):
            raise ForbiddenError("Whom it invited is its organiser's business.")
        return _invited(tournament)

    @extend_schema(
        operation_id="tournament_invite", request=asked.InviteRequest, responses=json.InvitedSerializer
    )
    def post(self, request: Request, slug: str) -> Response:
        found = self.found(request, slug)
        name = filled(asked.InviteRequest, request).validated_data["username"]
        user = User.objects.filter(username__iexact=name).first()
        if user is None:
            raise NotFoundError(f"There is no user called {name}.")
        organise.user_invite(**found, user=user)
        return _invited(found["tournament"])


def _invited(tournament: Tournament) -> Response:
    names = tournament.invited.order_by("pk").values_list("user__username", flat=True)
    return Response({"invited": list(names)})


class LateEntryView(ActionView):
    """Let one more bot in after registration has ended, with the lowest seeding."""

    @extend_schema(
        operation_id="tournament_late_entry",
        request=asked.LateEntryRequest,
        responses={201: json.TournamentEntrySerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        found = self.found(request, slug)
        bot = bot_by_id(filled(asked.LateEntryRequest, request).validated_data["bot"])
        entry_add_late(**found, bot=bot)
        entry = selectors.entry_by_bot(found["tournament"], bot.public_id)
        context = entry_context(request, found["tournament"])
        body = json.TournamentEntrySerializer(entry, context=context).data
        return Response(body, status=status.HTTP_201_CREATED)


class SeriesStopView(APIView):
    """Make no more of a series; what is made goes on."""

    write_scope = "enter"

    @extend_schema(operation_id="series_stop", request=None, responses=json.SeriesSerializer)
    def post(self, request: Request, slug: str) -> Response:
        series_stop(series=selectors.series_by_slug(slug), actor=signed_in(request))
        return Response(json.SeriesSerializer(selectors.series_by_slug(slug)).data)


class SeriesResumeView(APIView):
    """Make it again from now on; what was missed stays missed."""

    write_scope = "enter"

    @extend_schema(operation_id="series_resume", request=None, responses=json.SeriesSerializer)
    def post(self, request: Request, slug: str) -> Response:
        series_resume(series=selectors.series_by_slug(slug), actor=signed_in(request))
        return Response(json.SeriesSerializer(selectors.series_by_slug(slug)).data)
