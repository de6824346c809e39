"""A revision as a picture: for its owner, or by an address that is signed and expires."""

from app.domains.tracking.service import ChartUrls
from app.domains.tracking.types import ChartKind
from app.resources import Resources
from tests.api import Api, Person
from tests.plans.operations import HEALTH, commit
from tests.servers import TestClock

ADDRESS = "{ valuesTree { chartUrl revision { id } } }"


async def path_of(person: Person) -> str:
    address = str((await person.gql(ADDRESS))["valuesTree"]["chartUrl"])
    return address[address.index("/charts/") :]


async def test_the_owner_sees_a_revision(api: Api, ada: Person, bob: Person) -> None:
    assert (await ada.gql(ADDRESS))["valuesTree"]["chartUrl"] is None
    head = (await commit(ada, *HEALTH, {"update": {"id": "run", "title": "<b>Run</b>"}}))["head"]
    picture = await api.http.get(f"/charts/values/{head}.svg", headers=ada.headers)
    assert picture.status_code == 200
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "default-src 'none'" in picture.headers["content-security-policy"]
    assert "&lt;b&gt;Run&lt;/b&gt;" in picture.text
    assert picture.text.count("<circle") == 4
    theirs = await api.http.get(f"/charts/values/{head}.svg", headers=bob.headers)
    absent = await api.http.get("/charts/values/x.svg", headers=bob.headers)
    assert (theirs.status_code, absent.status_code) == (404, 404)
    assert theirs.json() == absent.json()
    assert (await api.http.get(f"/charts/values/{head}.svg")).status_code == 401


async def test_a_chart_url_is_valid_for_a_day(
    api: Api, ada: Person, clock: TestClock, resources: Resources
) -> None:
    await commit(ada, *HEALTH)
    path = await path_of(ada)
    assert (await api.http.get(path)).status_code == 200
    assert (await api.http.get(path.replace("signature=", "signature=0"))).status_code == 403
    first = path
    await commit(ada, {"complete": {"id": "run"}})
    other = (await path_of(ada)).partition("?")[0] + "?" + first.partition("?")[2]
    assert (await api.http.get(other)).status_code == 403, "it is for one revision"
    wrong = ChartUrls.of(resources).signed_url(ChartKind.habit, "x", ada.id)
    assert (await api.http.get(wrong[wrong.index("/charts/") :])).status_code == 404
    clock.move(hours=25)
    assert (await api.http.get(path)).status_code == 403
