"""One secret for everything: made once, kept, never weak."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.auth.secret import SHORTEST, ServerSecret
from app.core.errors import OperatorError


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    first = ServerSecret.load_or_create(folder).derive("x")
    assert ServerSecret.load_or_create(folder).derive("x") == first
    assert [file.name for file in folder.iterdir()] == ["secret.key"]


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    ServerSecret.load_or_create(tmp_path)
    mode = (tmp_path / "secret.key").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_each_folder_has_its_own(tmp_path: Path) -> None:
    assert ServerSecret.load_or_create(tmp_path / "a").derive("x") != ServerSecret.load_or_create(
        tmp_path / "b"
    ).derive("x")


def test_first_starts_at_one_moment_agree(tmp_path: Path) -> None:
    """Also in one process, or in two containers where each is process 1."""
    for attempt in range(20):
        folder = tmp_path / str(attempt)
        with ThreadPoolExecutor(16) as pool:
            secrets = list(
                pool.map(lambda _, at=folder: ServerSecret.load_or_create(at), range(16))
            )
        assert len({secret.derive("x") for secret in secrets}) == 1
        assert secrets[0].derive("x") == ServerSecret.load_or_create(folder).derive("x")
        assert [file.name for file in folder.iterdir()] == ["secret.key"]


@pytest.mark.parametrize("content", [b"", b"\n", b"short", b"x" * (SHORTEST - 1) + b"\n\n"])
def test_a_damaged_secret_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret.key").write_bytes(content)
    with pytest.raises(OperatorError, match=r"secret\.key is damaged"):
        ServerSecret.load_or_create(tmp_path)
    assert (tmp_path / "secret.key").read_bytes() == content


def test_an_editors_line_end_changes_nothing(tmp_path: Path) -> None:
    before = ServerSecret.load_or_create(tmp_path).derive("x")
    with (tmp_path / "secret.key").open("a") as file:
        file.write("\n")
    assert ServerSecret.load_or_create(tmp_path).derive("x") == before


def test_purposes_have_unrelated_keys() -> None:
    secret = ServerSecret(b"m" * 32)
    derived = {secret.derive(purpose) for purpose in ("access tokens", "page tokens", "", "x")}
    assert len(derived) == 4
    assert all(len(key) == 32 for key in derived)
    assert secret.derive("x", 48)[:32] == secret.derive("x")


@given(st.binary(min_size=32, max_size=64))
def test_every_secret_gives_one_signing_key(master: bytes) -> None:
    numbers = {ServerSecret(master).signing_key().private_numbers().private_value for _ in range(2)}
    assert len(numbers) == 1
    assert ServerSecret(master + b"!").signing_key().private_numbers().private_value not in numbers
