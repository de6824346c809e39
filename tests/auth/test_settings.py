"""Settings: convenient in development, and in production nothing that everyone knows."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from app.cli import app
from app.settings import DEVELOPMENT_API_KEY, ROOT, Settings, Stage

PRODUCTION: dict[str, Any] = {"stage": "production"}


def settings(**values: Any) -> Settings:
    return Settings(_env_file=None, **values)


@pytest.fixture(autouse=True)
def no_settings_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def test_defaults_in_development() -> None:
    usual = settings()
    assert usual.stage is Stage.DEVELOPMENT
    assert (usual.host, usual.port) == ("127.0.0.1", 8000)
    assert (usual.table_name, usual.endpoint_url, usual.redis_url) == ("gg_core", None, None)
    assert usual.data_dir == ROOT / ".data"
    assert usual.embedded_engine
    assert (usual.graphiql, usual.introspection, usual.demo, usual.worker) == (True,) * 4
    assert usual.embedded_identity is True
    assert usual.rate_factor == 100
    assert usual.api_keys == [DEVELOPMENT_API_KEY]
    assert usual.cors_origins == ["*"]
    assert usual.address == "http://localhost:8000"


def test_defaults_in_production() -> None:
    usual = settings(**PRODUCTION)
    assert (usual.graphiql, usual.introspection, usual.demo, usual.worker) == (False,) * 4
    assert not usual.embedded_engine
    assert usual.embedded_identity is True
    assert usual.rate_factor == 1
    assert usual.api_keys == []
    assert usual.cors_origins == []


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"demo": True}, "DEMO has a known password"),
        ({"api_keys": [DEVELOPMENT_API_KEY]}, "API_KEYS holds the development key"),
        ({"api_keys": ["mine", DEVELOPMENT_API_KEY]}, "API_KEYS holds the development key"),
        ({"cors_origins": ["*"]}, "CORS_ORIGINS must name its origins"),
        ({"cors_origins": ["https://a.example", "*"]}, "CORS_ORIGINS must name its origins"),
    ],
)
def test_production_refuses_conveniences_and_says_which(values: dict[str, Any], says: str) -> None:
    assert settings(**values).development
    with pytest.raises(ValidationError, match=says):
        settings(**PRODUCTION, **values)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("DEMO", "true", "DEMO has a known password"),
        ("API_KEYS", DEVELOPMENT_API_KEY, "API_KEYS holds the development key"),
        ("CORS_ORIGINS", "*", "CORS_ORIGINS must name its origins"),
        ("OIDC_ISSUER", "https://id.example", "OIDC_CLIENT_IDS must say"),
        ("COGNITO_USER_POOL_ID", "eu-west-1_x", "COGNITO_CLIENT_IDS must say"),
        ("PORT", "eighty", "PORT"),
        ("SECRET_KEY", "too short", "SECRET_KEY"),
        ("STAGE", "prod", "STAGE"),
    ],
)
def test_the_command_stops_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv("STAGE", "production")
    monkeypatch.setenv(name, value)
    result = CliRunner().invoke(app, ["serve"])
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert "too short" not in result.output


@pytest.mark.parametrize(
    ("issuer", "clients"),
    [
        ({"oidc_issuer": "https://id.example"}, "oidc_client_ids"),
        ({"cognito_user_pool_id": "eu-west-1_x"}, "cognito_client_ids"),
    ],
)
def test_an_issuer_needs_its_clients(issuer: dict[str, Any], clients: str) -> None:
    nobody: list[dict[str, Any]] = [{}, {clients: []}, {clients: " , "}]
    for none in nobody:
        with pytest.raises(ValidationError, match=f"{clients.upper()} must say"):
            settings(**issuer, **none)
    named = settings(**issuer, **{clients: "one, two"})
    assert getattr(named, clients) == ["one", "two"]
    assert named.embedded_identity is False
    assert settings(**issuer, **{clients: ["one"]}, embedded_identity=True).embedded_identity


ISSUE_2: list[tuple[str, str, str, object]] = [
    ("HOST", "0.0.0.0", "host", "0.0.0.0"),
    ("PORT", "9001", "port", 9001),
    ("STAGE", "production", "stage", Stage.PRODUCTION),
    ("DATA_DIR", "/tmp/elsewhere", "data_dir", Path("/tmp/elsewhere")),
    ("TABLE_NAME", "gg_other", "table_name", "gg_other"),
    ("ENDPOINT_URL", "http://127.0.0.1:8765", "endpoint_url", "http://127.0.0.1:8765"),
    ("ENDPOINT", "http://127.0.0.1:8765", "endpoint_url", "http://127.0.0.1:8765"),
    ("REDIS_URL", "redis://127.0.0.1:6379/1", "redis_url", "redis://127.0.0.1:6379/1"),
]


@pytest.mark.parametrize(("name", "value", "field", "expected"), ISSUE_2)
def test_the_environment_is_honoured(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, field: str, expected: object
) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(settings(), field) == expected
    monkeypatch.setenv(name, "")
    assert getattr(settings(), field) == Settings.model_fields[field].default


def test_a_file_is_honoured_and_the_environment_goes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("PORT=9002\nTABLE_NAME=from_file\nUNKNOWN=1\n")
    monkeypatch.setenv("PORT", "9003")
    read = Settings()
    assert (read.port, read.table_name) == (9003, "from_file")


@pytest.mark.parametrize(
    "values",
    [
        {"port": -1},
        {"port": 65536},
        {"stage": "staging"},
        {"secret_key": "x" * 31},
        {"access_token_seconds": 59},
        {"session_days": 0},
        {"rate_factor": 0},
        {"request_seconds": 0},
        {"max_body_bytes": 999},
        {"password_memory_kib": 8},
    ],
    ids=str,
)
def test_senseless_values_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        settings(**values)


def test_an_endpoint_takes_the_place_of_the_embedded_engine() -> None:
    assert not settings(endpoint_url="http://127.0.0.1:8765").embedded_engine


@pytest.mark.parametrize(
    ("values", "address"),
    [
        ({"host": "0.0.0.0", "port": 80}, "http://localhost:80"),
        ({"host": "::"}, "http://localhost:8000"),
        ({"host": "10.0.0.5"}, "http://10.0.0.5:8000"),
        ({"host": "0.0.0.0", "public_url": "https://api.example"}, "https://api.example"),
    ],
)
def test_the_address_is_one_that_clients_can_use(values: dict[str, Any], address: str) -> None:
    assert settings(**values).address == address


@pytest.mark.parametrize(
    ("values", "issuer"),
    [
        ({"port": 9000}, "http://localhost:8000"),
        ({"public_url": "https://api.example"}, "https://api.example"),
        ({"public_url": "https://api.example", "issuer": "guild"}, "guild"),
        ({"issuer": "guild", "former_issuers": "https://a.example, b"}, "guild"),
    ],
)
def test_the_issuer_does_not_depend_on_where_a_server_listens(
    values: dict[str, Any], issuer: str
) -> None:
    read = settings(**values)
    assert read.token_issuer == issuer
    # Earlier releases issued tokens in the name of the address.
    assert read.accepted_issuers == {issuer, read.address, *read.former_issuers}


def test_two_issuers_must_not_have_one_name() -> None:
    outside = {"oidc_issuer": "https://id.example", "oidc_client_ids": "one"}
    with pytest.raises(ValidationError, match="OIDC_ISSUER and this server's own ISSUER"):
        settings(**outside, embedded_identity=True, issuer="https://id.example")
    assert settings(**outside, issuer="https://id.example").embedded_identity is False


def test_secrets_are_not_shown() -> None:
    shown = repr(settings(secret_key="s" * 32, metrics_token="t" * 32))
    assert "sss" not in shown
    assert "ttt" not in shown
