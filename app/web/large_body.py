"""Reads a large body in the worker thread, in its address's turn: the caller is not yet known."""

from functools import partial

from app.web.body import Params, decode_body, graphql_params
from app.web.fairness import FairShare, address_key
from app.web.worker_thread import in_worker_thread

# Reading takes about 40 ns a byte.
LARGE_BODY = 32_000


async def read_params(body: bytes, max_values: int, share: FairShare, address: str) -> Params:
    if len(body) <= LARGE_BODY:
        return _decode(body, max_values)
    decode = partial(in_worker_thread, _decode, body, max_values)
    return await share.run_heavy(address_key(address), decode)


def _decode(body: bytes, max_values: int) -> Params:
    return graphql_params(decode_body(body, max_values), len(body))
