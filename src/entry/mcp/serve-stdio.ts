import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveOn } from '@modelcontextprotocol/server/stdio';
import { Fault } from '../../base/fault.ts';
import { mcpServers } from './mcp-server.ts';
import type { ServedWorkspace } from './served-workspace.ts';

/** Serves until the client closes the pipe or `signal` aborts. Throws a Fault when a message is too long. */
export async function serveStdio(
  served: ServedWorkspace,
  host: NodeJS.Process,
  signal: AbortSignal,
): Promise<void> {
  const output = protocolOutput(host);
  const over = ended(host.stdin, output, signal);
  const transport = new StdioServerTransport(host.stdin, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const tooLong = Promise.race([over.then(() => false), closedByTransport(transport).then(() => true)]);
  const handle = serveOn(mcpServers(served), {
    transport,
    onerror: ({ message }) => served.note(message),
  });
  const isTooLong = await tooLong;
  await handle.close();
  await served.jobs.close();
  if (isTooLong)
    throw new Fault(
      'net/protocol',
      'The client sent a message of more than 10 MiB, so the connection was closed.',
    );
}

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** Resolves when the transport closes itself: while its streams are open, that means a message was too long. */
function closedByTransport(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    const close = transport.close.bind(transport);
    transport.close = async () => {
      resolve();
      await close();
    };
  });
}

/** Reserves standard output for the protocol; other output goes to standard error. */
function protocolOutput(host: NodeJS.Process): Writable {
  const { stdout } = host;
  const write = stdout.write.bind(stdout);
  stdout.write = host.stderr.write.bind(host.stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void write(chunk, done),
  });
  // Every answer that waits for a slow client adds a listener.
  output.setMaxListeners(0);
  // The client has closed the pipe.
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
