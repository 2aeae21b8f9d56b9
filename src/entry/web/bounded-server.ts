import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';

const MOST_CONNECTIONS = 512;
/** Connections on which no request has come whole. A browser opens few of them, and only for a moment. */
const MOST_SILENT = 128;

/** A slow or greedy client costs the others nothing. */
export function boundedServer(): Server {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16_384,
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.maxHeadersCount = 100;
  endSilentOnes(server);
  return server;
}

/** The oldest silent connection makes room for a new one, so that nobody can hold all of them. */
function endSilentOnes(server: Server): void {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
    const [oldest] = silent;
    if (silent.size > MOST_SILENT) oldest?.destroy();
  });
  server.on('request', ({ socket }) => void silent.delete(socket));
}
