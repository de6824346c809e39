"""The scalars as Python sees them."""

from typing import NewType

AWSDate = NewType("AWSDate", str)
AWSTime = NewType("AWSTime", str)
AWSDateTime = NewType("AWSDateTime", str)
AWSTimestamp = NewType("AWSTimestamp", int)
AWSEmail = NewType("AWSEmail", str)
AWSJSON = NewType("AWSJSON", str)
AWSURL = NewType("AWSURL", str)
AWSPhone = NewType("AWSPhone", str)
AWSIPAddress = NewType("AWSIPAddress", str)
