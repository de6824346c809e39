"""Charts as SVG: /charts/metric/{id}.svg, /charts/habit/{id}.svg, /charts/values/{revision}.svg."""

from uuid import uuid4

from fastapi import APIRouter, Request
from fastapi.responses import Response as Answer

from app.auth.authenticator import Authenticator
from app.core.caller import Access, Caller, acting_for
from app.core.errors import AppError, BadInput, NotFound, RateLimited
from app.domains.tracking.service import ChartUrls
from app.domains.tracking.types import ChartKind
from app.resources import Resources
from app.services import Services
from app.web.errors import to_http_error
from app.web.http import HttpError, error_response, read_headers, unauthorized

STATUS_OF_ERROR = {NotFound: 404, BadInput: 400, RateLimited: 429}
HEADERS = {
    "cache-control": "private, max-age=60",
    # An SVG opened as a page must run no script and load nothing.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
}


def chart_routes(resources: Resources, authenticator: Authenticator) -> APIRouter:
    router = APIRouter()
    urls = ChartUrls.of(resources)

    @router.get("/charts/{kind}/{name}.svg")
    async def chart(request: Request, kind: str, name: str) -> Answer:
        try:
            chart_kind = _chart_kind(kind)
            caller = await _caller(request, urls, authenticator, chart_kind, name)
            svg = await _draw(Services(resources, caller), chart_kind, name)
        except Exception as problem:
            return _error_answer(problem)
        return Answer(svg, media_type="image/svg+xml", headers=HEADERS)

    return router


def _chart_kind(name: str) -> ChartKind:
    if name not in ChartKind.__members__:
        raise NotFound("chart")
    return ChartKind(name)


async def _draw(services: Services, kind: ChartKind, name: str) -> bytes:
    if kind is ChartKind.values:
        return await services.values.draw(name)
    return await services.charts.draw(kind, name)


async def _caller(
    request: Request,
    urls: ChartUrls,
    authenticator: Authenticator,
    kind: ChartKind,
    name: str,
) -> Caller:
    """The signed-in caller or, for a signed address, the user who made it."""
    parameters = request.query_params
    if "signature" in parameters:
        user = parameters.get("user", "")
        expires, signature = parameters.get("expires", ""), parameters["signature"]
        if not urls.is_valid(kind, name, user=user, expires=expires, signature=signature):
            raise HttpError(403, "This address has expired or was changed. Request a new chartUrl.")
        return acting_for(user)
    address = request.client.host if request.client else ""
    caller = await authenticator.identify(read_headers(request.scope), address)
    if caller.access is not Access.USER:
        raise unauthorized("Sign in, or use the address that chartUrl gives.")
    return caller


def _error_answer(problem: Exception) -> Answer:
    error = to_http_error(problem, uuid4().hex)
    status = next(
        (code for kind, code in STATUS_OF_ERROR.items() if isinstance(problem, kind)), None
    )
    if isinstance(problem, AppError) and status:
        error = HttpError(status, problem.message, code=problem.code, info=problem.info)
    answer = error_response(error)
    headers = dict(answer.headers)
    return Answer(answer.body, answer.status, headers, media_type=answer.content_type)
