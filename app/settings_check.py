"""What is wrong with the settings, beyond each one's own type: for the operator, before a start."""

import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import AliasChoices
from pydantic_settings import DotEnvSettingsSource
from redis.connection import parse_url

from app.settings import Settings, without_password

SHORT = 4
LONG = 8


def setting_names() -> set[str]:
    aliases = [field.validation_alias for field in Settings.model_fields.values()]
    others = [
        str(name) for alias in aliases if isinstance(alias, AliasChoices) for name in alias.choices
    ]
    return {name.upper() for name in (*Settings.model_fields, *others)}


def given_names(environment: Mapping[str, str]) -> set[str]:
    """The names in the environment and in the .env file."""
    return {name.upper() for name in (*environment, *DotEnvSettingsSource(Settings).env_vars)}


def misspelt(names: Iterable[str]) -> dict[str, str]:
    """The setting that was meant, by the name that was given."""
    known = setting_names()
    found = {}
    for name in sorted(set(names) - known):
        meant = sorted(each for each in known if _is_slip(name, each))
        if meant:
            found[name] = meant[0]
    return found


def _is_slip(name: str, meant: str) -> bool:
    """Two letters exchanged; in a longer name also one letter too many, too few or wrong."""
    if sorted(name) == sorted(meant):
        return distance(name, meant) <= (2 if len(meant) >= LONG else 1)
    return len(meant) > SHORT and distance(name, meant) == 1


def distance(one: str, other: str) -> int:
    """Letters to insert, remove, replace, or exchange with their neighbour."""
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def problems(settings: Settings, names: Iterable[str], *, serves: bool) -> list[str]:
    """Sentences that each say what is wrong and what to do. `serves`: for the server itself."""
    checks: list[Callable[[Settings], Iterator[str]]] = [_secret, _addresses, _tls, _data_dir]
    if serves:
        checks.append(_public_url)
    return [
        *(_misspelling(*pair) for pair in misspelt(names).items() if _is_refused(settings, *pair)),
        *(problem for check in checks for problem in check(settings)),
    ]


def warnings(settings: Settings, names: Iterable[str]) -> list[str]:
    return [
        _misspelling(*pair) for pair in misspelt(names).items() if not _is_refused(settings, *pair)
    ]


def _misspelling(name: str, meant: str) -> str:
    return f"{name} is not a setting. Did you mean {meant}? Correct the name, or remove it."


def _is_refused(settings: Settings, _: str, meant: str) -> bool:
    """Without STAGE a production server would run as one for development."""
    return settings.production or meant == "STAGE"


def _secret(settings: Settings) -> Iterator[str]:
    if settings.secret_key or settings.development:
        return
    file = settings.data_dir / "secret.key"
    if file.exists():
        yield (
            "SECRET_KEY is not set, and production does not read it from a file. "
            f"To keep the one that was used so far, set SECRET_KEY to the content of {file}."
        )
    else:
        yield (
            "SECRET_KEY is not set. All servers and workers need the same one, of 32 characters "
            "or more: make it once, for example with: openssl rand -hex 32"
        )


def _public_url(settings: Settings) -> Iterator[str]:
    if settings.production and not settings.public_url and "//localhost" in settings.address:
        yield (
            f"PUBLIC_URL is not set, and clients cannot reach {settings.address}. "
            "Set it to the address that clients use, for example https://api.example.com"
        )


def _addresses(settings: Settings) -> Iterator[str]:
    for name in ("public_url", "endpoint_url", "oidc_issuer", "oidc_jwks_url", "authorizer_url"):
        value: str | None = getattr(settings, name)
        if value and not _is_web_address(value):
            yield (
                f"{name.upper()} is {value!r}, which is no address. "
                "It begins with https:// or http:// and names a host."
            )
    if settings.redis_url:
        try:
            parse_url(settings.redis_url)  # type: ignore[no-untyped-call]
        except ValueError:
            yield (
                f"REDIS_URL is {without_password(settings.redis_url)!r}, which is no address of "
                "Redis. It looks like redis://host:6379/0, or rediss:// for TLS."
            )


def _is_web_address(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _tls(settings: Settings) -> Iterator[str]:
    certificate, key = settings.tls_certificate, settings.tls_key
    if key and not certificate:
        yield "TLS_KEY is set, but TLS_CERTIFICATE is not. Set both, or neither."
        return
    missing = [
        f"{name} is {path}, which is no file that can be read. Correct the path."
        for name, path in (("TLS_CERTIFICATE", certificate), ("TLS_KEY", key))
        if path and not _is_readable(path)
    ]
    yield from missing
    if certificate and not missing:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
        except (ssl.SSLError, OSError) as error:
            yield (
                f"TLS_CERTIFICATE ({certificate}) and TLS_KEY ({key or 'not set'}) are no "
                f"certificate with its key: {error.args[-1]}."
            )


def _is_readable(path: Path) -> bool:
    try:
        with path.open("rb"):
            return True
    except OSError:
        return False


def _data_dir(settings: Settings) -> Iterator[str]:
    if settings.production or (settings.secret_key and not settings.embedded_engine):
        return
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        probe = settings.data_dir / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        yield (
            f"DATA_DIR is {settings.data_dir}, where nothing can be written ({error.strerror}). "
            "Set it to a folder of your own."
        )
