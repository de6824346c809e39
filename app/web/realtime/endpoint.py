"""Where sockets arrive: /graphql and /graphql/realtime. The subprotocol chooses the protocol."""

from urllib.parse import urlsplit

from starlette.types import Receive, Scope, Send

from app.web.http import Refused, headers_of
from app.web.realtime import transport_ws
from app.web.realtime.appsync import AppSyncConnection
from app.web.realtime.connection import Connection
from app.web.realtime.edge import Edge
from app.web.realtime.socket import Gone, Socket
from app.web.realtime.transport_ws import TransportConnection


class RealtimeEndpoint:
    def __init__(self, edge: Edge) -> None:
        self.edge = edge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = Socket(scope, receive, send)
        try:
            if self._is_welcome(scope):
                await self._connection(socket).run()
            else:
                await socket.refuse()
        except Gone:
            return

    def _connection(self, socket: Socket) -> Connection:
        if transport_ws.NAME in socket.scope["subprotocols"]:
            return TransportConnection(self.edge, socket)
        return AppSyncConnection(self.edge, socket)

    def _is_welcome(self, scope: Scope) -> bool:
        """A browser says which page opens the socket; the rules are those of CORS."""
        try:
            headers = headers_of(scope)
        except Refused:
            return False
        origin, allowed = headers.get("origin"), self.edge.settings.cors_origins
        if origin is None or "*" in allowed or origin in allowed:
            return True
        return urlsplit(origin).netloc == headers.get("host")
