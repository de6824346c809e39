"""The GraphiQL page and its files, all read once when the server starts."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from app.web.graphiql.tab import NEW_ID, NEW_NAME, Tab
from app.web.graphiql.tabs import TABS

HERE = Path(__file__).parent
JAVASCRIPT = "text/javascript; charset=utf-8"
CSS = "text/css; charset=utf-8"

# style 'unsafe-inline': GraphiQL's dialogs add a <style> to lock scrolling.
# data: its stylesheet contains fonts and the marks of the linter.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Asset:
    """A file whose name contains its digest: it never changes, so clients may cache it for ever."""

    name: str
    body: bytes
    content_type: str
    etag: str
    cache_control: str = "public, max-age=31536000, immutable"


@dataclass(frozen=True, kw_only=True)
class PageConfig:
    endpoint: str = "/graphql"
    subscriptions: str = "/graphql"
    assets: str = "/graphql/assets"
    headers: Mapping[str, str] = field(default_factory=dict)
    user: str = "Not signed in"
    tabs: tuple[Tab, ...] = TABS

    def as_json(self) -> str:
        return _script_safe(
            {
                "endpoint": self.endpoint,
                "subscriptions": self.subscriptions,
                "headers": dict(self.headers),
                "user": self.user,
                "newId": NEW_ID,
                "newName": NEW_NAME,
                "tabs": [_as_graphiql(tab) for tab in self.tabs],
            }
        )


@dataclass(frozen=True)
class _AssetFile:
    name: str
    path: Path
    content_type: str


class GraphiQL:
    """The GraphiQL page. `missing` names the npm files that were not found."""

    def __init__(self, node_modules: Path) -> None:
        sources = [*_own(), *_installed(node_modules)]
        self.missing = tuple(str(s.path) for s in sources if not s.path.is_file())
        assets = {s.name: _read(s) for s in sources if s.path.is_file()}
        self._assets = {asset.name: asset for asset in assets.values()}
        self._names = {_placeholder(key): asset.name for key, asset in assets.items()}
        template = "missing.html" if self.missing else "page.html"
        self._template = Template((HERE / template).read_text(encoding="utf-8"))

    def asset(self, name: str) -> Asset | None:
        return self._assets.get(name)

    def page(self, *, config: PageConfig) -> bytes:
        """Contains the caller's token, so it must be sent with `Cache-Control: no-store`."""
        urls = {key: f"{config.assets}/{name}" for key, name in self._names.items()}
        return self._template.substitute(urls, config=config.as_json()).encode()


def _own() -> Iterable[_AssetFile]:
    yield _AssetFile("page.js", HERE / "page.js", JAVASCRIPT)
    yield _AssetFile("page.css", HERE / "page.css", CSS)
    yield _AssetFile("icon.svg", HERE / "icon.svg", "image/svg+xml")


def _installed(root: Path) -> Iterable[_AssetFile]:
    yield _AssetFile("react.js", root / "react/umd/react.production.min.js", JAVASCRIPT)
    yield _AssetFile("react-dom.js", root / "react-dom/umd/react-dom.production.min.js", JAVASCRIPT)
    yield _AssetFile("graphiql.js", root / "graphiql/graphiql.min.js", JAVASCRIPT)
    yield _AssetFile("graphiql.css", root / "graphiql/graphiql.min.css", CSS)


def _read(source: _AssetFile) -> Asset:
    body = source.path.read_bytes()
    digest = hashlib.sha256(body).hexdigest()[:16]
    stem, _, suffix = source.name.rpartition(".")
    return Asset(f"{stem}.{digest}.{suffix}", body, source.content_type, f'"{digest}"')


def _placeholder(name: str) -> str:
    return name.replace(".", "_").replace("-", "_")


def _as_graphiql(tab: Tab) -> dict[str, str | None]:
    variables = json.dumps(dict(tab.variables), indent=2) if tab.variables else None
    return {"query": tab.document, "variables": variables}


def _script_safe(value: object) -> str:
    # Inside <script> only "<" can end the element or open a comment.
    return json.dumps(value).replace("<", "\\u003c")
