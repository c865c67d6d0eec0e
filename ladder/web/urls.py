"""Addresses of the pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path
from django.views.generic import RedirectView

from ladder.web.views import accounts, bots, common, desk, docs, home, ladders, matches, tournaments

app_name = "web"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("now/", home.now, name="now"),
    path("theme/", common.theme, name="theme"),
    path("favicon.ico", RedirectView.as_view(url="/static/web/mark.svg"), name="favicon"),
    path("ladders/", ladders.ladders, name="ladders"),
    path("ladders/<slug:slug>/", ladders.ladder, name="ladder"),
    path("ladders/<slug:slug>/seasons/<int:number>/", ladders.ladder, name="season"),
    path("bots/<uuid:bot_id>/", bots.bot, name="bot"),
    path("bots/<uuid:bot_id>/entry/", bots.entry, name="entry"),
    path("bots/<uuid:bot_id>/versions/<int:number>/", bots.version, name="version"),
    path("matches/", matches.matches, name="matches"),
    path("matches/<uuid:match_id>/", matches.match, name="match"),
    path("matches/<uuid:match_id>/proof/", matches.proof, name="proof"),
    path("matches/<uuid:match_id>/seats/<int:numeral>/", matches.seat, name="seat"),
    path("tournaments/", tournaments.tournaments, name="tournaments"),
    path("tournaments/new/", tournaments.make, name="tournament-make"),
    path("tournaments/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("tournaments/<slug:slug>/enter/", tournaments.enter, name="tournament-enter"),
    path("tournaments/<slug:slug>/act/", tournaments.act, name="tournament-act"),
    path("tournaments/<slug:slug>/tables/<str:key>/", tournaments.table, name="tournament-table"),
    path("tournaments/<slug:slug>/bracket.svg", tournaments.picture, {"kind": "svg"}, name="tournament-svg"),
    path("tournaments/<slug:slug>/bracket.png", tournaments.picture, {"kind": "png"}, name="tournament-png"),
    path("desk/", desk.desk, name="desk"),
    path("desk/upload/", desk.upload, name="upload"),
    path("desk/tokens/", desk.tokens, name="tokens"),
    path("desk/tokens/<uuid:token_id>/end/", desk.token_end, name="token-end"),
    path("desk/invite/", desk.invite, name="invite"),
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("join/<str:token>/", accounts.sign_up, name="join"),
    path("sign-in/", accounts.sign_in, name="sign-in"),
    path("sign-out/", accounts.sign_out, name="sign-out"),
    path("password/", accounts.password_reset, name="password"),
    path("password/sent/", accounts.password_sent, name="password-sent"),
    path("password/<uidb64>/<token>/", accounts.password_set, name="password-set"),
    path("games/", docs.games, name="games"),
    path("games/<slug:name>/", docs.game, name="game"),
    path("docs/", docs.index, name="docs"),
    path("docs/faults/<slug:code>/", docs.code, name="fault"),
    path("docs/errors/<slug:code>/", docs.code, name="error"),
    path("docs/<slug:name>/", docs.document, name="document"),
]
