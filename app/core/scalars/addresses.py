"""Where somebody or something is reached."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

import idna
import phonenumbers

LONGEST_EMAIL, LONGEST_LOCAL_PART = 254, 64
LONGEST_URL, LONGEST_PHONE = 2048, 32
SCHEMES_WITH_HOST = {"http", "https", "ws", "wss", "ftp"}

LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
DOMAIN_FORM = re.compile(rf"{LABEL}(?:\.{LABEL})*")
LOCAL_FORM = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+")
URL_FORM = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s\x00-\x1f\x7f-\x9f\\]+")
PHONE_FORM = re.compile(r"\+?[0-9][0-9 -]*")
PREFIX_FORM = re.compile(r"0|[1-9][0-9]{0,2}")


def read_email(value: str) -> str:
    local, at, domain = value.rpartition("@")
    if len(value) > LONGEST_EMAIL or len(local) > LONGEST_LOCAL_PART:
        raise ValueError(f"it is longer than {LONGEST_EMAIL} (before the @: {LONGEST_LOCAL_PART})")
    if not (at and LOCAL_FORM.fullmatch(local) and DOMAIN_FORM.fullmatch(_ascii_domain(domain))):
        raise ValueError("it must look like name@domain, without spaces")
    return value


def _ascii_domain(domain: str) -> str:
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain, uts46=True, std3_rules=True).decode()
    except idna.IDNAError:
        raise ValueError("its domain is no valid international name") from None


def read_url(value: str) -> str:
    if len(value) > LONGEST_URL:
        raise ValueError(f"it is longer than {LONGEST_URL} characters")
    if not URL_FORM.fullmatch(value):
        raise ValueError("it must start with a scheme and hold no spaces or control characters")
    _check_parts(value)
    return value


def _check_parts(value: str) -> None:
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("its host or port is not valid") from None
    if "@" in parts.netloc:
        raise ValueError("it must not carry a user name or password")
    if parts.scheme in SCHEMES_WITH_HOST and not host:
        raise ValueError("its host is missing")
    if "//" in parts.path:
        raise ValueError("its path must not hold //")


def read_phone(value: str) -> str:
    if len(value) > LONGEST_PHONE or not PHONE_FORM.fullmatch(value):
        raise ValueError("it must be digits, spaces and hyphens, + and country code may lead")
    try:
        number = phonenumbers.parse(value, "US")
    except phonenumbers.NumberParseException:
        raise ValueError("no country has such a number") from None
    if not phonenumbers.is_valid_number(number):
        raise ValueError("no country has such a number (without + it is read as a US number)")
    return value


def read_ip_address(value: str) -> str:
    host, slash, prefix = value.partition("/")
    try:
        # "%" would be a zone, which means something on one machine only.
        address = ip_address(host if "%" not in host else "")
    except ValueError:
        raise ValueError("it must be an IPv4 or IPv6 address, /prefix may follow") from None
    if slash and not (PREFIX_FORM.fullmatch(prefix) and int(prefix) <= address.max_prefixlen):
        raise ValueError(f"its prefix must be 0 to {address.max_prefixlen}")
    return value
