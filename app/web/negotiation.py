"""Which of the two media types of GraphQL over HTTP a client wants."""

from app.web.http import Refused

RESPONSE_JSON = "application/graphql-response+json"
JSON = "application/json"
WILDCARDS = ("application/*", "*/*")


def wanted(accept: str | None) -> str:
    """The best liked of what we have; JSON for whoever does not care."""
    if not accept:
        return JSON
    liked = dict(reversed(_ranges(accept)))
    order = [media for media in (*liked, JSON) if media in (JSON, RESPONSE_JSON)]
    best = max(JSON, RESPONSE_JSON, key=lambda media: _liking(media, liked))
    if _liking(best, liked) == 0:
        raise Refused(406, f"Accept {RESPONSE_JSON} or {JSON}.", headers={"accept": JSON})
    return best


def wants_page(accept: str | None) -> bool:
    return any(media == "text/html" for media, _ in _ranges(accept or ""))


def _ranges(accept: str) -> list[tuple[str, float]]:
    found = []
    for each in accept.split(",")[:50]:
        media, *parameters = [piece.strip().lower() for piece in each.split(";")]
        qualities = [p[2:] for p in parameters if p.startswith("q=")]
        found.append((media, _quality(qualities[0]) if qualities else 1.0))
    return found


def _quality(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 0.0
