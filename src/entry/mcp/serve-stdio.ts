/** The server on standard input and output. */

import { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveOn } from '@modelcontextprotocol/server/stdio';
import { Fault } from '../../base/fault.ts';
import { mcpServers } from './mcp-server.ts';
import type { Served } from './served.ts';

/** Ends when the client closes the pipe, or when `signal` aborts; a Fault when the client sent what nobody could keep. */
export async function serveStdio(served: Served, host: NodeJS.Process, signal: AbortSignal): Promise<void> {
  const output = protocolOutput(host);
  const over = ended(host.stdin, output, signal);
  const transport = new StdioServerTransport(host.stdin, output, { maxBufferSize: LONGEST_MESSAGE });
  const isGivenUp = Promise.race([over.then(() => false), givesUp(transport).then(() => true)]);
  const handle = serveOn(mcpServers(served), {
    transport,
    onerror: ({ message }) => served.note(message),
  });
  const isTooLong = await isGivenUp;
  await handle.close();
  await served.jobs.close();
  if (isTooLong)
    throw new Fault(
      'net/protocol',
      'The client sent a message of more than 10 MiB, so the connection was closed.',
    );
}

const LONGEST_MESSAGE = 10 * 1024 * 1024;

/** While its streams are whole, the transport closes by itself only when a message is too long to be kept. */
function givesUp(transport: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    const close = transport.close.bind(transport);
    transport.close = async () => {
      resolve();
      await close();
    };
  });
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
