/** The server on standard input and output. */

import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveOn } from '@modelcontextprotocol/server/stdio';
import { mcpServers } from './mcp-server.ts';
import type { Served } from './served.ts';

/** Ends when the client closes the pipe, or when `signal` aborts. */
export async function serveStdio(served: Served, host: NodeJS.Process, signal: AbortSignal): Promise<void> {
  const output = protocolOutput(host);
  const over = ended(host.stdin, output, signal);
  const handle = serveOn(mcpServers(served), {
    transport: new StdioServerTransport(host.stdin, output),
    onerror: ({ message }) => served.note(message),
  });
  await over;
  await handle.close();
  await served.jobs.close();
}

/** Standard output for the protocol alone: whatever else is printed there goes to standard error. */
function protocolOutput(host: NodeJS.Process): Writable {
  const { stdout } = host;
  const write = stdout.write.bind(stdout);
  stdout.write = host.stderr.write.bind(host.stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void write(chunk, done),
  });
  // Every answer that waits for a slow client listens to it.
  output.setMaxListeners(0);
  // A client that reads no more has gone.
  stdout.on('error', () => output.destroy());
  return output;
}

function ended(input: NodeJS.ReadStream, output: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    for (const event of ['end', 'close', 'error']) input.once(event, end);
    for (const event of ['error', 'close']) output.once(event, end);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
