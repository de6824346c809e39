"""Pictures beside the graph: /charts/metric/{id}.svg, /charts/habit/{id}.svg and
/charts/values/{revision}.svg."""

from uuid import uuid4

from fastapi import APIRouter, Request
from fastapi.responses import Response as Answer

from app.auth.authenticator import Authenticator
from app.core.caller import Access, Caller, acting_for
from app.core.errors import AppError, BadInput, NotFound, RateLimited
from app.domains.tracking.service import ChartAddresses, ChartKind
from app.resources import Resources
from app.services import Services
from app.web.errors import refused
from app.web.http import Refused, headers_of, refusal, unauthorized

STATUS = {NotFound: 404, BadInput: 400, RateLimited: 429}
HEADERS = {
    "cache-control": "private, max-age=60",
    # A picture runs nothing and fetches nothing, also when it is opened as a page.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
}


def chart_routes(resources: Resources, authenticator: Authenticator) -> APIRouter:
    router = APIRouter()
    addresses = ChartAddresses.of(resources)

    @router.get("/charts/{kind}/{name}.svg")
    async def chart(request: Request, kind: str, name: str) -> Answer:
        try:
            of = _kind(kind)
            caller = await _caller(request, addresses, authenticator, of, name)
            picture = await _drawn(Services(resources, caller), of, name)
        except Exception as problem:
            return _refusal(problem)
        return Answer(picture, media_type="image/svg+xml", headers=HEADERS)

    return router


def _kind(name: str) -> ChartKind:
    if name not in ChartKind.__members__:
        raise NotFound("chart")
    return ChartKind(name)


async def _drawn(services: Services, kind: ChartKind, name: str) -> bytes:
    if kind is ChartKind.values:
        return await services.values.draw(name)
    return await services.charts.draw(kind, name)


async def _caller(
    request: Request,
    addresses: ChartAddresses,
    authenticator: Authenticator,
    kind: ChartKind,
    name: str,
) -> Caller:
    """Whoever signed in, or the owner who gave the address away."""
    given = request.query_params
    if "signature" in given:
        user = given.get("user", "")
        expires, signature = given.get("expires", ""), given["signature"]
        if not addresses.is_open(kind, name, user=user, expires=expires, signature=signature):
            raise Refused(403, "This address has expired or was changed. Ask for a new chartUrl.")
        return acting_for(user)
    address = request.client.host if request.client else ""
    caller = await authenticator.identify(headers_of(request.scope), address)
    if caller.access is not Access.USER:
        raise unauthorized("Sign in, or use the address that chartUrl gives.")
    return caller


def _refusal(problem: Exception) -> Answer:
    told = refused(problem, uuid4().hex)
    status = next((code for kind, code in STATUS.items() if isinstance(problem, kind)), None)
    if isinstance(problem, AppError) and status:
        told = Refused(status, problem.message, code=problem.code, info=problem.info)
    answer = refusal(told)
    headers = dict(answer.headers)
    return Answer(answer.body, answer.status, headers, media_type=answer.content_type)
