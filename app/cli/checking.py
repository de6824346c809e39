"""check-settings: what a server would do with the present settings, without doing it."""

import os

import typer
from rich.markup import escape

from app.cli.command import app, console, read_settings, two_columns
from app.settings import Settings, without_password
from app.settings_check import given_names, problems


@app.command("check-settings")
def check_settings() -> None:
    """Say what serve would do with the present settings, and what is wrong with them.

    Nothing is started and nothing is connected to. The exit code is 2 if serve would refuse."""
    settings = read_settings(complete=False)
    console.print(two_columns(description(settings)), highlight=False)
    found = problems(settings, given_names(os.environ), serves=True)
    for problem in found:
        console.print(f"[red]{escape(problem)}[/]", highlight=False, soft_wrap=True)
    if found:
        raise typer.Exit(2)
    console.print("[green]serve would start.[/]")


def description(settings: Settings) -> dict[str, str]:
    return {
        "Stage": settings.stage.value,
        "Listens on": f"{settings.host}:{settings.port}, {_protocol(settings)}",
        "Processes": f"{settings.workers}",
        "Clients use": f"{settings.address}/graphql",
        "Proxies": settings.trusted_proxies or "none is trusted: X-Forwarded-For is ignored",
        "Table": f"{settings.table_name}: {database(settings)}",
        "Table missing": "is created" if settings.development else "the server stops",
        "Shared through": _shared(settings),
        "Secret": _secret(settings),
        "Signs in": _identity(settings),
        "Jobs": "in the server" if settings.worker else "only in python -m app worker",
        "GraphiQL": "served" if settings.graphiql else "off",
        "Demo data": "made, with a known password" if settings.demo else "none",
        "Rate limits": f"times {settings.rate_factor:g}",
        "Metrics": _metrics(settings),
        "Stops": f"{settings.drain_seconds:g} s after /ready says 503",
    }


def database(settings: Settings) -> str:
    if settings.embedded_engine:
        return f"embedded engine in {settings.data_dir}"
    return settings.endpoint_url or f"DynamoDB in {settings.aws_region}"


def _protocol(settings: Settings) -> str:
    return f"HTTPS with {settings.tls_certificate}" if settings.tls_certificate else "plain HTTP"


def _shared(settings: Settings) -> str:
    if settings.redis_url:
        return f"{without_password(settings.redis_url)} (events, rate limits)"
    return "nothing: events and rate limits are of this server alone"


def _secret(settings: Settings) -> str:
    if settings.secret_key:
        return "SECRET_KEY"
    if settings.production:
        return "none"
    return f"{settings.data_dir / 'secret.key'}, made if it is missing"


def _identity(settings: Settings) -> str:
    own = f"itself, as {settings.token_issuer}" if settings.embedded_identity else None
    return ", ".join(filter(None, [own, settings.oidc_issuer, settings.cognito_user_pool_id]))


def _metrics(settings: Settings) -> str:
    if settings.metrics_token:
        return "with METRICS_TOKEN"
    return "open" if settings.development else "off (no METRICS_TOKEN)"
