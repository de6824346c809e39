"""Every setting, read once from the environment. README.md lists them in one table."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

ROOT = Path(__file__).resolve().parent.parent
DEVELOPMENT_API_KEY = "da2-guildhall-development"
# The same on every server, whatever it listens on: what a server on the default port always used.
DEFAULT_ISSUER = "http://localhost:8000"


class Stage(StrEnum):
    DEVELOPMENT = "development"
    PRODUCTION = "production"


def _comma_separated(value: object) -> object:
    return (
        [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, str)
        else value
    )


CommaSeparated = Annotated[list[str], NoDecode, BeforeValidator(_comma_separated)]


def without_password(url: str) -> str:
    before, at, after = url.rpartition("@")
    return f"{before.split('://')[0]}://…@{after}" if at else url


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", extra="ignore", env_ignore_empty=True)

    stage: Stage = Field(Stage.DEVELOPMENT, description="development or production")
    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(8000, ge=0, le=65535, description="port to listen on")
    workers: int = Field(
        1, ge=1, le=64, description="server processes on the one port; as many as there are cores"
    )
    data_dir: Path = Field(
        ROOT / ".data", description="embedded engine's data, its log, the secret"
    )
    node_modules: Path = Field(ROOT / "node_modules", description="engine and GraphiQL, from npm")
    public_url: str | None = Field(None, description="address that clients use, behind a proxy")
    trusted_proxies: str = Field("", description="addresses whose X-Forwarded-For is believed")
    tls_certificate: Path | None = Field(
        None, description="a PEM file: then it speaks HTTPS itself, as Amplify's sockets want it"
    )
    tls_key: Path | None = Field(None, description="the certificate's key, another PEM file")
    cors_origins: CommaSeparated = Field([], description="origins of browser front ends; * for any")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="DEBUG, INFO, WARNING or ERROR"
    )

    table_name: str = Field("gg_core", description="the DynamoDB table")
    endpoint_url: str | None = Field(
        None,
        validation_alias=AliasChoices("endpoint_url", "endpoint"),
        description="DynamoDB's address (ENDPOINT for short); unset: embedded in development, "
        "AWS in production",
    )
    aws_region: str = Field("us-east-1", description="DynamoDB's region")
    redis_url: str | None = Field(
        None, description="shared rate limits and events, if several servers"
    )

    secret_key: SecretStr | None = Field(
        None,
        min_length=32,
        description="all keys derive from it; unset: made once in DATA_DIR, in production refused",
    )
    access_token_seconds: int = Field(3600, ge=60, description="life of an access token")
    session_days: int = Field(30, ge=1, description="life of a session that is not refreshed")
    embedded_identity: bool | None = Field(
        None, description="signUp and signIn; unset: on if no issuer is configured"
    )
    issuer: str | None = Field(
        None,
        description="who issues the access tokens, the same on all servers; unset: PUBLIC_URL, "
        f"else {DEFAULT_ISSUER}",
    )
    former_issuers: CommaSeparated = Field(
        [], description="earlier values of ISSUER or PUBLIC_URL, whose tokens are still accepted"
    )
    oidc_issuer: str | None = Field(None, description="an OIDC issuer's address")
    oidc_client_ids: CommaSeparated = Field([], description="its accepted audiences or client ids")
    oidc_jwks_url: str | None = Field(None, description="its keys; unset: asked by discovery")
    oidc_plain_subjects: bool = Field(
        False, description="its subjects are user ids as they are; for an issuer that chooses them"
    )
    cognito_user_pool_id: str | None = Field(None, description="a Cognito user pool")
    cognito_client_ids: CommaSeparated = Field([], description="its accepted app clients")
    api_keys: CommaSeparated = Field([], description="x-api-key values for public reads")
    iam_keys: CommaSeparated = Field(
        [], description="for SigV4: ID:SECRET, a user of its own, or ID:SECRET:USER, as that one"
    )
    authorizer_url: str | None = Field(
        None, description="a Lambda-style authorizer that knows other Authorization headers"
    )
    password_memory_kib: int = Field(19_456, ge=1024, description="argon2id's cost")

    chain_id: int = Field(1, ge=1, description="the Ethereum chain that attestations are for")
    verifying_contract: str = Field(
        "0x0000000000000000000000000000000000000000",
        pattern=r"^0x[0-9a-fA-F]{40}$",
        description="the contract that signed attestations are for",
    )
    stale_claim_hours: int = Field(
        336, ge=1, description="a claimed quest without a submission is open again after so long"
    )
    shards: int = Field(
        1, ge=1, le=64, description="parts of each hot list; may be raised, never lowered"
    )

    lease_seconds: float = Field(
        300, gt=0, description="a background job that runs longer is ended; a dead worker's waits"
    )

    hiscores_url: str = Field(
        "https://secure.runescape.com/m=hiscore_oldschool/index_lite.json",
        pattern=r"^https?://",
        description="where the game's hiscores are read, as JSON",
    )
    hiscores_minutes: int = Field(
        60, ge=1, le=1440, description="how often a character with goals is looked up"
    )
    mail_gateway: SecretStr | None = Field(
        None, description="how mail is sent: an Apprise address, {to} for the receiver"
    )
    sms_gateway: SecretStr | None = Field(
        None, description="how SMS are sent: an Apprise address, {to} for the number"
    )
    webhook_hosts: CommaSeparated = Field(
        [], description="hosts, or host/path, that users' webhooks may lead to"
    )
    discord_url: str = Field(
        "https://discord.com/api/webhooks",
        description="where Discord's webhooks are; another only in development",
    )
    insecure_webhooks: bool = Field(
        False, description="for tests: webhooks by http and to this machine"
    )

    graphiql: bool | None = Field(None, description="serve GraphiQL; unset: in development only")
    introspection: bool | None = Field(
        None, description="for everyone; unset: in development; else signed-in users only"
    )
    demo: bool | None = Field(None, description="demo data and user; unset: in development only")
    worker: bool | None = Field(
        None, description="background jobs inside the server; unset: in development only"
    )
    worker_port: int | None = Field(
        None,
        ge=0,
        le=65535,
        description="where python -m app worker answers /health, /ready, /metrics; unset: nowhere",
    )
    metrics_token: SecretStr | None = Field(
        None, description="bearer token for /metrics; unset: open in development, off in production"
    )
    request_seconds: float = Field(10.0, gt=0, description="deadline of one request")
    drain_seconds: float | None = Field(
        None,
        ge=0,
        le=300,
        description="how long a stopping server still takes requests, with 503 at /ready, until "
        "the proxy has noticed; unset: 5, in development 0",
    )
    max_body_bytes: int = Field(1_000_000, ge=1_000, description="largest request body")
    max_sockets: int = Field(
        10, ge=1, description="most sockets and event streams of one user on one server"
    )
    max_shared_sockets: int = Field(
        200, ge=1, description="the same for a key of IAM_KEYS or a user of an authorizer"
    )
    max_values: int = Field(
        40_000, ge=1_000, description="most JSON values in a request, variables included"
    )
    max_tokens: int = Field(2_000, ge=100, description="most tokens in a query")
    compiled_execution: bool = Field(
        True, description="answers with compiled selection sets; off: graphql-core alone, slower"
    )
    rate_factor: float | None = Field(
        None, gt=0, description="multiplies every rate limit; unset: 1, in development 100"
    )

    @property
    def production(self) -> bool:
        return self.stage is Stage.PRODUCTION

    @property
    def development(self) -> bool:
        return not self.production

    @property
    def embedded_engine(self) -> bool:
        return self.development and self.endpoint_url is None

    @property
    def address(self) -> str:
        host = "localhost" if self.host in ("0.0.0.0", "::", "127.0.0.1") else self.host
        scheme = "https" if self.tls_certificate else "http"
        return (self.public_url or f"{scheme}://{host}:{self.port}").removesuffix("/")

    @property
    def token_issuer(self) -> str:
        return self.issuer or self.public_url or DEFAULT_ISSUER

    @property
    def accepted_issuers(self) -> frozenset[str]:
        """Earlier releases used the address of each server."""
        return frozenset({self.token_issuer, self.address, *self.former_issuers})

    @model_validator(mode="after")
    def _by_stage(self) -> Self:
        external = bool(self.oidc_issuer or self.cognito_user_pool_id)
        defaults = {
            "graphiql": self.development,
            "introspection": self.development,
            "demo": self.development,
            "worker": self.development,
            "embedded_identity": not external,
            "rate_factor": 100.0 if self.development else 1.0,
            "drain_seconds": 0.0 if self.development else 5.0,
        }
        for name, value in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        if self.development:
            object.__setattr__(self, "api_keys", self.api_keys or [DEVELOPMENT_API_KEY])
            object.__setattr__(self, "cors_origins", self.cors_origins or ["*"])
        return self

    @model_validator(mode="after")
    def _no_conveniences_in_production(self) -> Self:
        if not self.production:
            return self
        if self.demo:
            raise ValueError("DEMO has a known password: it must not be on in production")
        if DEVELOPMENT_API_KEY in self.api_keys:
            raise ValueError(
                "API_KEYS holds the development key: use one of your own in production"
            )
        if "*" in self.cors_origins:
            raise ValueError("CORS_ORIGINS must name its origins in production")
        return self

    @model_validator(mode="after")
    def _messages_go_where_they_should(self) -> Self:
        for name in ("mail_gateway", "sms_gateway"):
            gateway: SecretStr | None = getattr(self, name)
            if gateway and "{to}" not in gateway.get_secret_value():
                raise ValueError(f"{name.upper()} must say {{to}} where the receiver goes")
        if self.production and self.insecure_webhooks:
            raise ValueError("INSECURE_WEBHOOKS opens the inner network: not in production")
        if self.production and self.discord_url != type(self).model_fields["discord_url"].default:
            raise ValueError("DISCORD_URL must not be changed in production")
        return self

    @model_validator(mode="after")
    def _iam_keys_are_whole(self) -> Self:
        for word in self.iam_keys:
            parts = word.split(":")
            if len(parts) not in (2, 3) or not all(parts):
                raise ValueError("IAM_KEYS must be ID:SECRET or ID:SECRET:USER, with commas")
        return self

    @model_validator(mode="after")
    def _issuers_name_their_clients(self) -> Self:
        if self.oidc_issuer and not self.oidc_client_ids:
            raise ValueError("OIDC_CLIENT_IDS must say whose tokens of OIDC_ISSUER are accepted")
        if self.oidc_plain_subjects and (self.cognito_user_pool_id or self.embedded_identity):
            raise ValueError("OIDC_PLAIN_SUBJECTS is for a single issuer: ids could meet otherwise")
        if self.embedded_identity and self.oidc_issuer in self.accepted_issuers:
            raise ValueError(
                f"OIDC_ISSUER and this server's own ISSUER are both {self.oidc_issuer}: "
                "give ISSUER another value, or set EMBEDDED_IDENTITY=false"
            )
        if self.cognito_user_pool_id and not self.cognito_client_ids:
            raise ValueError("COGNITO_CLIENT_IDS must say whose tokens of the pool are accepted")
        return self
