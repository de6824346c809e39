"""GraphiQL as a visitor meets it: a real Chromium against the running server."""

import json
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import httpx
import pytest
from graphql import (
    GraphQLError,
    GraphQLSchema,
    build_client_schema,
    get_introspection_query,
    get_operation_ast,
    parse,
    validate,
)
from graphql.execution.values import get_variable_values
from selenium.webdriver import ActionChains, Chrome, ChromeOptions, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import element_to_be_clickable
from selenium.webdriver.support.wait import WebDriverWait

from app.web.graphiql import TABS, Tab

PATIENCE = 20
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
    "--no-first-run",
    "--window-size=1280,800",
)
QUERY = ".graphiql-query-editor"
VARIABLES = ".graphiql-editor-tool[aria-label=Variables]"
ANSWER = ".result-window"
PLAY = ".graphiql-execute-button[aria-label^=Execute]"
STOP = ".graphiql-execute-button[aria-label^=Stop]"
NAMES = ["Welcome", "SignUp", "SignIn", "UpdateMyProfile", "FindPeople", "QuickAdd"]


class Visitor:
    """What a person does on the page, in their words."""

    def __init__(self, driver: Chrome, url: str) -> None:
        self.driver = driver
        self.origin = url.rstrip("/")
        self._wait = WebDriverWait(driver, PATIENCE)

    def open(self) -> None:
        self.driver.get(f"{self.origin}/graphql")
        self.until(lambda: self.tab_names() and self.text(QUERY))

    def until(self, holds: Callable[[], object]) -> None:
        self._wait.until(lambda _driver: holds())

    def click(self, css: str) -> None:
        self._wait.until(element_to_be_clickable((By.CSS_SELECTOR, css)), css).click()

    def press(self, label: str) -> None:
        named = (By.XPATH, f"//*[self::button or self::a][normalize-space()='{label}']")
        self._wait.until(element_to_be_clickable(named), label).click()

    def find(self, css: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def text(self, css: str) -> str:
        return str(self._editor(css, "getValue()"))

    def write(self, css: str, value: str) -> None:
        self._editor(css, f"setValue({json.dumps(value)})")

    def _editor(self, css: str, member: str) -> object:
        # CodeMirror draws only the lines in view, so its content is asked from itself.
        node = f"document.querySelector({json.dumps(css + ' .CodeMirror')})"
        return self.driver.execute_script(f"return {node}?.CodeMirror.{member} ?? ''")

    def tab_names(self) -> list[str]:
        return [tab.text for tab in self.driver.find_elements(By.CSS_SELECTOR, "[role=tab]")]

    def choose_tab(self, name: str) -> None:
        self.click(f"[role=tab] [title={name}]")
        # GraphiQL learns the operation's name a moment after the text has changed.
        self.until(lambda: self._editor(QUERY, "operationName") == name)

    def play(self) -> None:
        self.click(".graphiql-execute-button")

    def until_told(self, act: Callable[[], None]) -> None:
        """Nothing on the page says when the server listens: so it is done until it is heard."""

        def heard() -> bool:
            act()
            return bool(self.text(ANSWER).strip())

        self.until(heard)

    def answer(self) -> dict[str, object]:
        self.until(lambda: self.text(ANSWER).strip().endswith("}"))
        answer = json.loads(self.text(ANSWER))
        assert "errors" not in answer, answer
        return dict(answer["data"])

    def headers(self) -> str:
        return self.text(".graphiql-editor-tool .graphiql-editor:nth-of-type(2)")

    def stored(self) -> str:
        return str(self.driver.execute_script("return JSON.stringify(localStorage)"))

    def console_errors(self) -> list[str]:
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [e["message"] for e in entries if e["level"] == "SEVERE"]

    def requests_elsewhere(self) -> list[str]:
        entries = self.driver.get_log("performance")  # type: ignore[no-untyped-call]
        events = [json.loads(entry["message"])["message"] for entry in entries]
        sent = [e["params"] for e in events if e["method"] == "Network.requestWillBeSent"]
        # Chromium's own first page is in the log too.
        urls = [s["request"]["url"] for s in sent if s["documentURL"].startswith(self.origin)]
        return [url for url in urls if not url.startswith((f"{self.origin}/", "data:"))]


def _missing(what: str) -> NoReturn:
    message = f"{what} is not installed: GraphiQL was not tested in a browser"
    if os.environ.get("GUILDHALL_REQUIRE_ALL") == "1":
        pytest.fail(message)
    pytest.skip(message)


def _program(*names: str) -> str:
    found = [path for name in names if (path := shutil.which(name))]
    return found[0] if found else _missing(names[0])


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = _program("chromium", "chromium-browser", "google-chrome")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(_program("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def visitor(chromium: Chrome, server_url: str) -> Iterator[Visitor]:
    visitor = Visitor(chromium, server_url)
    visitor.open()
    yield visitor
    assert visitor.console_errors() == []
    assert visitor.requests_elsewhere() == []


def test_the_first_tab_runs_with_the_play_button(visitor: Visitor, tmp_path: Path) -> None:
    assert visitor.tab_names()[: len(NAMES)] == NAMES
    visitor.play()
    me = visitor.answer()["me"]
    assert isinstance(me, dict)
    assert me["nickname"] in visitor.find(ANSWER).text
    assert visitor.driver.save_screenshot(str(tmp_path / "graphiql.png"))


def test_runs_with_ctrl_enter(visitor: Visitor) -> None:
    visitor.click(f"{QUERY} .CodeMirror-lines")
    ActionChains(visitor.driver).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(
        Keys.CONTROL
    ).perform()
    assert "me" in visitor.answer()


def test_a_tab_brings_its_query_and_variables(visitor: Visitor) -> None:
    visitor.choose_tab("FindPeople")
    assert "userByNickname" in visitor.text(QUERY)
    assert json.loads(visitor.text(VARIABLES)) == {"nickname": "demo"}
    visitor.play()
    assert "userByNickname" in visitor.answer()


def test_a_subscription_runs_until_it_is_stopped(visitor: Visitor, tmp_path: Path) -> None:
    token = json.loads(visitor.headers())
    visitor.choose_tab("WatchMyTasks")
    visitor.play()
    visitor.until(lambda: visitor.find(STOP))
    visitor.until_told(lambda: create_task(visitor.origin, token, "Come by itself"))
    received = visitor.answer()["onTaskChanged"]
    assert isinstance(received, dict)
    assert (received["title"], received["status"], received["goals"]) == (
        "Come by itself",
        "NotStarted",
        [],
    )
    assert visitor.driver.save_screenshot(str(tmp_path / "live.png"))
    visitor.play()
    visitor.until(lambda: visitor.find(PLAY))
    create_task(visitor.origin, token, "Unheard")
    visitor.choose_tab("Welcome")
    visitor.play()
    assert "me" in visitor.answer()
    visitor.choose_tab("WatchMyTasks")
    assert "Unheard" not in visitor.text(ANSWER)


def create_task(origin: str, headers: dict[str, str], title: str) -> None:
    query = "mutation ($t: String!) { createTask(input: {title: $t}) { id } }"
    body = {"query": query, "variables": {"t": title}}
    answer = httpx.post(f"{origin}/graphql", json=body, headers=headers).json()
    assert "errors" not in answer, answer


def test_documentation_shows_the_schema(visitor: Visitor) -> None:
    visitor.click("[aria-label='Show Documentation Explorer']")
    visitor.until(lambda: "Mutation" in visitor.find(".graphiql-doc-explorer").text)
    visitor.press("Query")
    visitor.until(lambda: "userByNickname" in visitor.find(".graphiql-doc-explorer").text)
    shown = visitor.find(".graphiql-doc-explorer").text
    assert "userByNickname(" in shown
    assert "createGoal(" not in shown


def test_reload_keeps_the_tabs_and_stores_no_token(visitor: Visitor) -> None:
    names = visitor.tab_names()
    visitor.choose_tab("Timeline")
    visitor.choose_tab("FindPeople")
    visitor.until(lambda: "Authorization" in visitor.headers())
    visitor.play()
    visitor.answer()
    visitor.until(lambda: "graphiql:queries" in visitor.stored())
    assert "Bearer" not in visitor.stored()
    visitor.open()
    assert visitor.tab_names() == names
    assert "Authorization" in visitor.headers()


def test_an_example_works_for_one_user_after_another(visitor: Visitor) -> None:
    """It creates what it changes, under an id that is new for each of them."""
    first = log_a_habit(visitor)
    visitor.choose_tab("SignUp")
    nickname = json.loads(visitor.text(VARIABLES))["input"]["nickname"]
    visitor.play()
    visitor.press(f"Continue as {nickname}")
    visitor.until(lambda: nickname in visitor.find("#user").text)
    second = log_a_habit(visitor)
    assert first != second
    visitor.open()
    visitor.choose_tab("LogAHabit")
    assert json.loads(visitor.text(VARIABLES))["log"]["habitId"] == second


def log_a_habit(visitor: Visitor) -> str:
    visitor.choose_tab("LogAHabit")
    habit_id = str(json.loads(visitor.text(VARIABLES))["log"]["habitId"])
    visitor.play()
    visitor.until(lambda: "createHabit" in visitor.text(ANSWER))
    assert visitor.answer().keys() == {"createHabit", "logHabit"}
    assert '"errors"' not in visitor.text(ANSWER)
    return habit_id


def test_signs_up_and_continues_as_the_new_user(visitor: Visitor) -> None:
    nickname = f"ada-{uuid.uuid4().hex[:12]}"
    visitor.choose_tab("SignUp")
    form = json.loads(visitor.text(VARIABLES))
    form["input"] |= {"nickname": nickname, "email": f"{nickname}@example.com"}
    visitor.write(VARIABLES, json.dumps(form))
    visitor.play()
    assert "signUp" in visitor.answer()
    visitor.press(f"Continue as {nickname}")
    visitor.until(lambda: nickname in visitor.find("#user").text)
    visitor.choose_tab("Welcome")
    visitor.play()
    me = visitor.answer()["me"]
    assert isinstance(me, dict)
    assert me["nickname"] == nickname


def test_restores_the_examples_and_keeps_own_work(visitor: Visitor) -> None:
    examples = visitor.tab_names()
    visitor.write(QUERY, "query Mine { me { id } }")
    visitor.until(lambda: visitor.tab_names()[0] == "Mine" and "Mine" in visitor.stored())
    visitor.press("Restore examples")
    visitor.until(lambda: visitor.tab_names() == [*examples, "Mine"])
    assert "query Welcome" in visitor.text(QUERY)


def test_ready_tabs_fit_the_schema(server_url: str) -> None:
    body = {"query": get_introspection_query()}
    answer = httpx.post(f"{server_url.rstrip('/')}/graphql", json=body).json()
    schema = build_client_schema(answer["data"])
    wrong = {tab.title: _mistakes(schema, tab) for tab in TABS}
    assert not any(wrong.values()), wrong


def _mistakes(schema: GraphQLSchema, tab: Tab) -> list[GraphQLError]:
    document = parse(tab.document)
    operation = get_operation_ast(document)
    assert operation is not None
    assert operation.name is not None
    values = get_variable_values(schema, operation.variable_definitions or (), dict(tab.variables))
    return [*validate(schema, document), *(values if isinstance(values, list) else [])]
