"""Exact numbers."""

import re
from decimal import Context, Decimal, Inexact

LONGEST_NUMBER = 160
LARGEST_EXPONENT = 100
LARGEST_WRITTEN = 10**LONGEST_NUMBER
# DynamoDB keeps 38 significant digits; Inexact fires when one would be lost.
DIGITS = Context(prec=38, traps=[Inexact])
NUMBER_FORM = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")


def read_decimal(value: object) -> Decimal:
    text = _written(value)
    if not (isinstance(text, str) and len(text) <= LONGEST_NUMBER and NUMBER_FORM.fullmatch(text)):
        raise ValueError("it must be a finite number, or a string holding one")
    return _fitting(Decimal(text))


def _written(value: object) -> object:
    # repr, because a JSON 0.1 arrives as a float and means 0.1.
    if type(value) is float or (type(value) is int and abs(value) < LARGEST_WRITTEN):
        return repr(value)
    return value


def _fitting(number: Decimal) -> Decimal:
    try:
        short = DIGITS.normalize(number)
    except Inexact:
        raise ValueError(f"it has more than {DIGITS.prec} digits") from None
    if not short:
        return Decimal(0)
    if abs(short.adjusted()) > LARGEST_EXPONENT:
        raise ValueError(f"its exponent lies beyond ±{LARGEST_EXPONENT}")
    return short
