"""Our signature is botocore's signature."""

from datetime import datetime
from unittest.mock import patch

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from hypothesis import given
from hypothesis import strategies as st

from app.table.fastpath import authorization

MOMENT = datetime(2026, 1, 1, 1, 2, 3)  # noqa: DTZ001  botocore wants it without a zone


def botocores(body: bytes, token: str | None) -> tuple[str, dict[str, str]]:
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB.GetItem"}
    url = "https://dynamodb.eu-west-1.amazonaws.com/"
    request = AWSRequest("POST", url, data=body, headers=headers)
    with patch("botocore.auth.get_current_datetime", lambda **_: MOMENT):
        SigV4Auth(Credentials("AKID", "secret", token), "dynamodb", "eu-west-1").add_auth(request)
    signed = {name.lower(): value for name, value in request.headers.items()}
    return str(signed.pop("authorization")), signed | {"host": "dynamodb.eu-west-1.amazonaws.com"}


@pytest.mark.parametrize("token", [None, "a session token"])
@given(body=st.binary(max_size=200))
def test_signs_as_botocore_does(token: str | None, body: bytes) -> None:
    expected, headers = botocores(body, token)
    ours = authorization(headers, body, access="AKID", secret="secret", region="eu-west-1")
    assert ours == expected
