// Node 20 has no WebSocket of its own; browsers and later versions do.
globalThis.WebSocket = require("ws").WebSocket;
