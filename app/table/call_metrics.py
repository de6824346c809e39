"""What is counted of the calls to DynamoDB."""

from prometheus_client import Counter, Histogram

CALLS = Counter("guildhall_dynamodb_calls_total", "Calls to DynamoDB", ["operation"])
CALL_SECONDS = Histogram("guildhall_dynamodb_seconds", "Time of a call", ["operation"])
CALL_ERRORS = Counter(
    "guildhall_dynamodb_errors_total",
    "Calls without success, throttled ones and refused conditions included",
    ["operation", "code"],
)
