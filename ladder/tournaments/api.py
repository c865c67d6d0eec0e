"""The API's doors for tournaments and series: to look, to make, to enter. Organisers' are in actions.py."""

from __future__ import annotations

from typing import Any, TypeVar
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.accounts.api import signed_in
from ladder.common.errors import InvalidError
from ladder.matches.models import Match
from ladder.matches.serializers import MatchSerializer
from ladder.programs.api import bot_by_id, version_by_id
from ladder.tournaments import documents, selectors
from ladder.tournaments import requests as asked
from ladder.tournaments import serializers as json
from ladder.tournaments.board import board_of
from ladder.tournaments.filters import TournamentFilter
from ladder.tournaments.models import Entry, Happening, Series, Tournament
from ladder.tournaments.plans import plan_check
from ladder.tournaments.services.entries import entry_choose, entry_create, entry_withdraw
from ladder.tournaments.services.organise import tournament_create
from ladder.tournaments.services.series import series_create
from ladder.tournaments.standings import standings_view

EXPORT = OpenApiParameter("export", OpenApiTypes.STR, enum=["csv"], description="as a file instead")


Form = TypeVar("Form", bound=asked.Strict)


def filled(form: type[Form], request: Request) -> Form:
    """The body, read. Raises ValidationError with its fields."""
    read = form(data=request.data)
    read.is_valid(raise_exception=True)
    return read


def told(request: Request, tournament: Tournament, code: int = status.HTTP_200_OK) -> Response:
    """The tournament as it stands now, to whoever asked."""
    found = selectors.tournament_by_slug(request.user, tournament.slug)
    return Response(json.TournamentSerializer(documents.told(request.user, found)).data, status=code)


class TournamentsView(ListAPIView[Tournament]):
    """Tournaments that are listed, and one's own: newest first. POST makes one."""

    serializer_class = json.TournamentRowSerializer
    filterset_class = TournamentFilter
    write_scope = "enter"

    def get_queryset(self) -> Any:
        return selectors.with_entries(selectors.tournaments(self.request.user))

    @extend_schema(
        request=asked.TournamentRequest,
        responses={201: json.TournamentSerializer},
        examples=[asked.EXAMPLE, asked.PODS],
    )
    def post(self, request: Request) -> Response:
        form = filled(asked.TournamentRequest, request)
        made = tournament_create(
            owner=signed_in(request),
            plan=form.plan(),
            is_open=form.validated_data["is_open"],
            **form.times(),
        )
        return told(request, made, status.HTTP_201_CREATED)


class EstimateView(APIView):
    """What a plan would take: matches, rounds, seconds. Nothing is made."""

    write_scope = "enter"

    @extend_schema(
        operation_id="tournament_estimate",
        request=asked.EstimateRequest,
        responses=json.EstimateSerializer,
        examples=[asked.EXAMPLE],
    )
    def post(self, request: Request) -> Response:
        form = filled(asked.EstimateRequest, request)
        plan = form.plan()
        plan_check(plan)
        entries = form.validated_data.get("entries", plan.min_entries)
        if entries > plan.max_entries:
            raise InvalidError(
                f"At most {plan.max_entries} can enter.", fields={"entries": ["That is past `max_entries`."]}
            )
        found = selectors.estimate(Tournament(**plan.fields()), entries=entries, now=timezone.now())
        return Response(json.EstimateSerializer(found).data)


class TournamentView(GenericAPIView[Tournament]):
    """One tournament: its plan, where it stands, and how long it takes."""

    serializer_class = json.TournamentSerializer

    @extend_schema(operation_id="tournament")
    def get(self, request: Request, slug: str) -> Response:
        return told(request, selectors.tournament_by_slug(request.user, slug))


class TournamentEntriesView(ListAPIView[Entry]):
    """Who is in, by seeding once it is fixed. POST enters a bot of one's own."""

    queryset = Entry.objects.none()
    serializer_class = json.TournamentEntrySerializer
    pagination_class = None
    write_scope = "enter"

    @extend_schema(
        operation_id="tournament_entries", responses=json.TournamentEntrySerializer(many=True), filters=False
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = selectors.tournament_by_slug(request.user, slug)
        entries = selectors.entries_of(tournament)
        context = entry_context(request, tournament)
        return Response(json.TournamentEntrySerializer(entries, many=True, context=context).data)

    @extend_schema(
        operation_id="tournament_enter",
        request=asked.TournamentEntryRequest,
        responses={201: json.TournamentEntrySerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = selectors.tournament_by_slug(request.user, slug)
        fields = filled(asked.TournamentEntryRequest, request).validated_data
        wish = fields.get("version")
        entry = entry_create(
            tournament=tournament,
            user=signed_in(request),
            bot=bot_by_id(fields["bot"]),
            wish=version_by_id(wish) if wish else None,
        )
        found = selectors.entry_by_bot(tournament, entry.bot.public_id)
        body = json.TournamentEntrySerializer(found, context=entry_context(request, tournament)).data
        return Response(body, status=status.HTTP_201_CREATED)


class TournamentEntryView(GenericAPIView[Entry]):
    """One entry: its members choose the version that is frozen; they and the organiser withdraw it."""

    serializer_class = json.TournamentEntrySerializer
    write_scope = "enter"

    @extend_schema(operation_id="tournament_entry")
    def get(self, request: Request, slug: str, bot_id: UUID) -> Response:
        return self._told(request, selectors.tournament_by_slug(request.user, slug), bot_id)

    @extend_schema(operation_id="tournament_entry_choose", request=asked.VersionChoiceRequest)
    def patch(self, request: Request, slug: str, bot_id: UUID) -> Response:
        tournament = selectors.tournament_by_slug(request.user, slug)
        wish = filled(asked.VersionChoiceRequest, request).validated_data["version"]
        entry_choose(
            entry=selectors.entry_by_bot(tournament, bot_id),
            user=signed_in(request),
            wish=version_by_id(wish) if wish else None,
        )
        return self._told(request, tournament, bot_id)

    @extend_schema(operation_id="tournament_withdraw", responses={204: None})
    def delete(self, request: Request, slug: str, bot_id: UUID) -> Response:
        tournament = selectors.tournament_by_slug(request.user, slug)
        entry_withdraw(entry=selectors.entry_by_bot(tournament, bot_id), user=signed_in(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _told(self, request: Request, tournament: Tournament, bot_id: UUID) -> Response:
        entry = selectors.entry_by_bot(tournament, bot_id)
        return Response(
            json.TournamentEntrySerializer(entry, context=entry_context(request, tournament)).data
        )


def entry_context(request: Request, tournament: Tournament) -> dict[str, Any]:
    """What the JSON of an entry depends on, beside the entry."""
    return {"viewer": request.user, "shows_results": selectors.shows_results(request.user, tournament)}


def _shown(request: Request, slug: str) -> Tournament:
    """The tournament, for those who may see its results. Raises NotFoundError or ForbiddenError."""
    tournament = selectors.tournament_by_slug(request.user, slug)
    selectors.results_check(request.user, tournament)
    return tournament


class BracketView(APIView):
    """The bracket as a graph: every table, its slots and results, and where each place leads."""

    @extend_schema(operation_id="tournament_bracket", responses=json.BracketSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(json.BracketSerializer(documents.bracket(_shown(request, slug))).data)


class RoundsView(APIView):
    """The tables of each round, and how they ended."""

    @extend_schema(operation_id="tournament_rounds", responses=json.RoundsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        tournament = _shown(request, slug)
        body = {"tournament": tournament.slug, "rounds": board_of(tournament)}
        return Response(json.RoundsSerializer(body).data)


class TournamentStandingsView(APIView):
    """Standings, with the figures that were compared and what parted each row from the one before."""

    @extend_schema(
        operation_id="tournament_standings",
        parameters=[EXPORT],
        responses={
            (200, "application/json"): json.TournamentStandingsSerializer,
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        tournament = _shown(request, slug)
        if _wants_csv(request):
            text = documents.standings_csv(tournament, standings_view(tournament))
            return _file(text, f"{tournament.slug}-standings.csv")
        return Response(json.TournamentStandingsSerializer(documents.standings(tournament)).data)


class ExportView(APIView):
    """Everything in one document; with `?export=csv` the results, a row a seat."""

    @extend_schema(
        operation_id="tournament_export",
        parameters=[EXPORT],
        responses={(200, "application/json"): json.ExportSerializer, (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        tournament = _shown(request, slug)
        if _wants_csv(request):
            return _file(documents.results_csv(board_of(tournament)), f"{tournament.slug}-results.csv")
        body = documents.export(request.user, tournament)
        return Response(json.ExportSerializer(body, context=entry_context(request, tournament)).data)


def _wants_csv(request: Request) -> bool:
    kind = request.query_params.get("export", "")
    if kind not in ("", "csv"):
        raise InvalidError("There is `export=csv`, and JSON without it.", fields={"export": ["Not csv."]})
    return kind == "csv"


def _file(text: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


class TournamentMatchesView(ListAPIView[Match]):
    """Its matches, newest first."""

    serializer_class = MatchSerializer

    @extend_schema(operation_id="tournament_matches")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        if "slug" not in self.kwargs:  # the schema is drawn by nobody
            return Match.objects.none()
        tournament = selectors.tournament_by_slug(self.request.user, self.kwargs["slug"])
        return selectors.matches_of(self.request.user, tournament)


class EventsView(ListAPIView[Happening]):
    """What happened and who did it, newest first; those of results once results are shown."""

    serializer_class = json.HappeningSerializer

    @extend_schema(operation_id="tournament_events")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        if "slug" not in self.kwargs:  # the schema is drawn by nobody
            return Happening.objects.none()
        tournament = selectors.tournament_by_slug(self.request.user, self.kwargs["slug"])
        return selectors.happenings(self.request.user, tournament)


class AllSeriesView(ListAPIView[Series]):
    """Series that are listed, and one's own. POST makes one."""

    serializer_class = json.SeriesSerializer
    write_scope = "enter"

    def get_queryset(self) -> Any:
        return selectors.all_series(self.request.user)

    @extend_schema(
        request=asked.SeriesRequest,
        responses={201: json.SeriesSerializer},
        examples=[asked.WEEKLY],
    )
    def post(self, request: Request) -> Response:
        form = filled(asked.SeriesRequest, request)
        made = series_create(owner=signed_in(request), plan=form.plan(), **form.timing())
        return Response(json.SeriesSerializer(made).data, status=status.HTTP_201_CREATED)


class SeriesView(GenericAPIView[Series]):
    """One series."""

    serializer_class = json.SeriesSerializer

    @extend_schema(operation_id="one_series")
    def get(self, _request: Request, slug: str) -> Response:
        return Response(self.get_serializer(selectors.series_by_slug(slug)).data)
