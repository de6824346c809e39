"""The scalars as Python sees them."""

from typing import NewType

AWSDate = NewType("AWSDate", str)
AWSTime = NewType("AWSTime", str)
AWSDateTime = NewType("AWSDateTime", str)
AWSTimestamp = NewType("AWSTimestamp", int)
# Float in GraphQL, whose Int ends at 2^31: a whole number of at most 2^53, exact in JSON.
WholeNumber = NewType("WholeNumber", int)
AWSEmail = NewType("AWSEmail", str)
AWSJSON = NewType("AWSJSON", str)
AWSURL = NewType("AWSURL", str)
AWSPhone = NewType("AWSPhone", str)
AWSIPAddress = NewType("AWSIPAddress", str)
