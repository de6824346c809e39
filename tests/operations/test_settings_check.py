"""A server that is half configured does not start: one sentence with the name and what to do."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app.cli import app
from app.settings import Settings, without_password
from app.settings_check import distance, misspelt
from tests.notifications.test_webhook_certificates import certificate

SECRET = "a secret that is long enough for all"
COMPLETE = {"STAGE": "production", "SECRET_KEY": SECRET, "PUBLIC_URL": "https://api.example"}


@pytest.fixture(autouse=True)
def no_settings_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    def run(command: str, **settings: str) -> Result:
        monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(app, command.split())

    return run


def lines(result: Result) -> list[str]:
    assert "Traceback" not in result.output
    return result.stderr.strip().split("\n")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"SECRET_KEY": ""},
            "SECRET_KEY is not set. All servers and workers need the same one, of 32 characters or "
            "more: make it once, for example with: openssl rand -hex 32",
        ),
        (
            {"PUBLIC_URL": ""},
            "PUBLIC_URL is not set, and clients cannot reach http://localhost:8000. Set it to the "
            "address that clients use, for example https://api.example.com",
        ),
        (
            {"PUBLIC_URL": "api.example"},
            "PUBLIC_URL is 'api.example', which is no address. It begins with https:// or http:// "
            "and names a host.",
        ),
        (
            {"REDIS_URL": "http://user:password@redis:6379"},
            "REDIS_URL is 'http://…@redis:6379', which is no address of Redis. It looks like "
            "redis://host:6379/0, or rediss:// for TLS.",
        ),
        (
            {"REDSI_URL": "redis://redis"},
            "REDSI_URL is not a setting. Did you mean REDIS_URL? Correct the name, or remove it.",
        ),
        (
            {"TLS_KEY": "/nowhere/key.pem"},
            "TLS_KEY is set, but TLS_CERTIFICATE is not. Set both, or neither.",
        ),
        (
            {"TLS_CERTIFICATE": "/nowhere/it.pem"},
            "TLS_CERTIFICATE is /nowhere/it.pem, which is no file that can be read. "
            "Correct the path.",
        ),
        (
            {"ENDPOINT_URL": "dynamodb:8000"},
            "ENDPOINT_URL is 'dynamodb:8000', which is no address. It begins with https:// or "
            "http:// and names a host.",
        ),
        (
            {"PORT": "eighty"},
            "PORT is 'eighty': Input should be a valid integer, unable to parse string as an "
            "integer.",
        ),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is not valid: "),
    ],
)
def test_production_says_what_is_wrong_and_does_not_start(
    run: Any, settings: dict[str, str], sentence: str
) -> None:
    result = run("serve", **(COMPLETE | settings))
    assert result.exit_code == 2
    (line,) = lines(result)
    assert line.startswith(sentence)
    assert "short" not in result.output
    assert "password" not in result.output


def test_every_problem_is_told_at_once(run: Any) -> None:
    result = run("serve", STAGE="production", REDIS_URL="nonsense")
    assert [line.split()[0] for line in lines(result)] == ["SECRET_KEY", "REDIS_URL", "PUBLIC_URL"]


def test_a_misspelt_stage_does_not_start_a_server_for_development(run: Any) -> None:
    result = run("serve", STGAE="production", SECRET_KEY=SECRET)
    assert result.exit_code == 2
    assert lines(result) == [
        "STGAE is not a setting. Did you mean STAGE? Correct the name, or remove it."
    ]


def test_a_misspelling_in_the_env_file_is_found(run: Any, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("STAGE=production\nSECRET_KYE=" + SECRET)
    result = run("worker")
    assert lines(result)[0].startswith("SECRET_KYE is not a setting. Did you mean SECRET_KEY?")


def test_in_development_a_misspelling_is_a_warning(run: Any) -> None:
    result = run("check-settings", API_KEYZ="a")
    assert result.exit_code == 0
    assert lines(result)[0].startswith("API_KEYZ is not a setting. Did you mean API_KEYS?")


@pytest.mark.parametrize(
    "name",
    ["HOSTNAME", "PATH", "POST", "PORTS", "HOSTS", "HOME", "AWS_ACCESS_KEY_ID", "LOGNAME", "USER"],
)
def test_names_of_other_programs_are_left_alone(name: str) -> None:
    assert misspelt([name]) == {}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("STGAE", "STAGE"),
        ("PROT", "PORT"),
        ("TABLENAME", "TABLE_NAME"),
        ("PUBLIC_URI", "PUBLIC_URL"),
        ("SERCET_KYE", "SECRET_KEY"),
    ],
)
def test_slips_of_the_pen_are_recognized(name: str, meant: str) -> None:
    assert misspelt([name]) == {name: meant}


def test_distances() -> None:
    assert [distance("abc", each) for each in ("abc", "acb", "ab", "xyz", "")] == [0, 1, 1, 3, 3]


def test_a_data_folder_that_cannot_be_made(run: Any, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    (line,) = lines(run("serve"))
    assert line == (
        f"DATA_DIR is {tmp_path / 'data'}, where nothing can be written (File exists). "
        "Set it to a folder of your own."
    )


def test_a_certificate_of_another_key(run: Any, tmp_path: Path) -> None:
    one, other = certificate(tmp_path, "one"), certificate(tmp_path, "other")
    files = {"TLS_CERTIFICATE": str(one), "TLS_KEY": str(other)}
    (line,) = lines(run("serve", **COMPLETE, **files))
    assert line.startswith(f"TLS_CERTIFICATE ({one}) and TLS_KEY ({other}) are no certificate")
    assert run("check-settings", **COMPLETE, **(files | {"TLS_KEY": str(one)})).exit_code == 0


def test_the_secret_that_was_used_so_far_is_named(run: Any, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret.key").write_text("0" * 64)
    (line,) = lines(run("serve", **(COMPLETE | {"SECRET_KEY": ""})))
    assert line.endswith(f"set SECRET_KEY to the content of {tmp_path / 'data' / 'secret.key'}.")


def test_a_damaged_secret_is_a_sentence(run: Any, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret.key").write_text("damaged")
    result = run("grant a@example.com admins", SECRET_KEY="")
    assert result.exit_code == 1
    assert "is damaged: restore a copy" in lines(result)[-1]


def test_a_store_that_does_not_answer_is_named(run: Any) -> None:
    result = run("create-table", ENDPOINT_URL="http://127.0.0.1:9")
    assert result.exit_code == 1
    assert lines(result) == [
        "The store at http://127.0.0.1:9 does not answer. Start it, or correct ENDPOINT_URL "
        "(for AWS: AWS_REGION and the network)."
    ]


def test_the_demo_user_is_not_for_production(run: Any) -> None:
    result = run("seed", **COMPLETE)
    assert result.exit_code == 1
    assert lines(result) == ["The demo user has a known password: seed is not for production."]


def test_check_settings_says_what_serve_would_do(run: Any) -> None:
    result = run(
        "check-settings", **COMPLETE, HOST="0.0.0.0", REDIS_URL="redis://:secret@cache:6379/0"
    )
    assert result.exit_code == 0
    told = {" ".join(line.split()) for line in lines(result)}
    assert told >= {
        "Stage production",
        "Listens on 0.0.0.0:8000, plain HTTP",
        "Clients use https://api.example/graphql",
        "Table gg_core: DynamoDB in us-east-1",
        "Shared through redis://…@cache:6379/0 (events, rate limits)",
        "Secret SECRET_KEY",
        "Signs in itself, as https://api.example",
        "serve would start.",
    }
    assert SECRET not in result.output


def test_check_settings_fails_where_serve_would_refuse(run: Any) -> None:
    result = run("check-settings", STAGE="production")
    assert result.exit_code == 2
    assert "serve would start." not in result.output
    assert "SECRET_KEY is not set." in result.output


def test_passwords_in_addresses_are_left_out() -> None:
    assert without_password("redis://a:b@host:1/0") == "redis://…@host:1/0"
    assert without_password("redis://host:1/0") == "redis://host:1/0"
