"""A relying party with django-allauth's provider `openid_connect`.

Settings come from the environment: ISSUER, CLIENT_ID, URL, METHOD, CLIENT_SECRET.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.generic import RedirectView

APP: dict[str, Any] = {
    "provider_id": "portico",
    "name": "Portico",
    "client_id": os.environ["CLIENT_ID"],
    "secret": os.environ["CLIENT_SECRET"],
    "settings": {"server_url": os.environ["ISSUER"], "oauth_pkce_enabled": True},
}
if os.environ["METHOD"] != "default":
    APP["settings"]["token_auth_method"] = os.environ["METHOD"]

settings.configure(
    ALLOWED_HOSTS=["localhost"],
    SECRET_KEY=os.urandom(32).hex(),
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "app.sqlite3"}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "allauth",
        "allauth.account",
        "allauth.socialaccount",
        "allauth.socialaccount.providers.openid_connect",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
        }
    ],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    LOGIN_REDIRECT_URL="/",
    SOCIALACCOUNT_LOGIN_ON_GET=True,
    SOCIALACCOUNT_PROVIDERS={"openid_connect": {"APPS": [APP]}},
)
django.setup()


def home(request: HttpRequest) -> HttpResponse:
    return HttpResponse(f"Hello {request.user.get_full_name() if request.user.is_authenticated else 'you'}")


urlpatterns = [
    path("", home),
    path("login", RedirectView.as_view(pattern_name="openid_connect_login"), {"provider_id": "portico"}),
    path("accounts/", include("allauth.urls")),
]

if __name__ == "__main__":
    execute_from_command_line([sys.argv[0], "migrate", "--verbosity=0"])
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", os.environ["URL"].removeprefix("http://")])
