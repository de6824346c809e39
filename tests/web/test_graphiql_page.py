"""The page and its files, without a browser."""

import json
import re
from pathlib import Path

import pytest

from app.web.graphiql import TABS, GraphiQL, PageConfig

FILES = (
    "react/umd/react.production.min.js",
    "react-dom/umd/react-dom.production.min.js",
    "graphiql/graphiql.min.js",
    "graphiql/graphiql.min.css",
)


@pytest.fixture
def node_modules(tmp_path: Path) -> Path:
    for name in FILES:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"/* {name} */")
    return tmp_path


def test_page_links_only_to_files_it_serves(node_modules: Path) -> None:
    graphiql = GraphiQL(node_modules)
    page = graphiql.page(config=PageConfig(assets="/files")).decode()
    links = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(links) == 7
    assert all(graphiql.asset(link.removeprefix("/files/")) for link in links)


def test_a_changed_file_gets_a_new_name(node_modules: Path) -> None:
    before = GraphiQL(node_modules).page(config=PageConfig())
    (node_modules / FILES[2]).write_text("changed")
    assert GraphiQL(node_modules).page(config=PageConfig()) != before


@pytest.mark.parametrize("name", ["", "page.py", "../page.py", "graphiql.min.js", "/etc/passwd"])
def test_serves_nothing_else(node_modules: Path, name: str) -> None:
    assert GraphiQL(node_modules).asset(name) is None


def test_config_cannot_end_its_script(node_modules: Path) -> None:
    user = "</script><script>alert(1)</script><!--"
    page = GraphiQL(node_modules).page(config=PageConfig(user=user)).decode()
    found = re.search(r'id="config">(.*?)</script>', page)
    assert found is not None
    assert json.loads(found[1])["user"] == user


def test_says_what_to_do_when_npm_files_are_missing(tmp_path: Path) -> None:
    graphiql = GraphiQL(tmp_path)
    page = graphiql.page(config=PageConfig(headers={"Authorization": "Bearer secret"})).decode()
    assert len(graphiql.missing) == 4
    assert "./scripts/install" in page
    assert "secret" not in page


def test_comments_fit_the_editor() -> None:
    lines = [line for tab in TABS for line in tab.document.splitlines() if line.startswith("#")]
    assert max(map(len, lines)) <= 48
