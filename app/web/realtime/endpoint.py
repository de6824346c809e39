"""WebSockets at /graphql and /graphql/realtime. The subprotocol chooses the protocol."""

from urllib.parse import urlsplit

from starlette.types import Receive, Scope, Send

from app.web.http import ClientDisconnected, HttpError, read_headers
from app.web.realtime import transport_ws
from app.web.realtime.appsync import AppSyncConnection
from app.web.realtime.connection import SocketConnection
from app.web.realtime.hub import RealtimeHub
from app.web.realtime.socket import Socket
from app.web.realtime.transport_ws import TransportConnection


class RealtimeEndpoint:
    def __init__(self, hub: RealtimeHub) -> None:
        self.hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = Socket(scope, receive, send)
        try:
            if self._origin_is_allowed(scope):
                await self._connection(socket).run()
            else:
                await socket.refuse()
        except ClientDisconnected:
            return

    def _connection(self, socket: Socket) -> SocketConnection:
        if transport_ws.NAME in socket.scope["subprotocols"]:
            return TransportConnection(self.hub, socket)
        return AppSyncConnection(self.hub, socket)

    def _origin_is_allowed(self, scope: Scope) -> bool:
        """Browsers send the origin of the page that opens a socket; CORS_ORIGINS applies to it."""
        try:
            headers = read_headers(scope)
        except HttpError:
            return False
        origin, allowed = headers.get("origin"), self.hub.settings.cors_origins
        if origin is None or "*" in allowed or origin in allowed:
            return True
        return urlsplit(origin).netloc == headers.get("host")
