/** A server made with the official SDK, over standard streams (`stdio`) or HTTP (`http`, prints its address). */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [how, token] = process.argv.slice(2);

function makeServer({ era }: { era: string }): McpServer {
  const server = new McpServer({ name: 'of-the-sdk', version: '1' });
  server.registerTool(
    'era',
    { description: 'Says which era is spoken.', inputSchema: z.object({ word: z.string().optional() }) },
    ({ word = '' }) => ({ content: [{ type: 'text', text: `${era}${word}` }] }),
  );
  return server;
}

if (how === 'stdio') serveStdio(makeServer);
else {
  const legacy = how === 'http-modern' ? 'reject' : 'stateless';
  const handle = toNodeHandler(createMcpHandler(makeServer, { legacy }));
  const server = createServer((request, response) => {
    if (token && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end('who are you?');
      return;
    }
    // Its types do not allow for what may be absent.
    void handle(request as never, response as never);
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
  });
}
