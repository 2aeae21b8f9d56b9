import { Transform, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveOn } from '@modelcontextprotocol/server/stdio';
import { Fault } from '../../base/fault.ts';
import { mcpServers } from './mcp-server.ts';
import { refusalOfLine } from './plain-errors.ts';
import type { ServedWorkspace } from './served-workspace.ts';

/** Serves until the client closes the pipe or `signal` aborts. Throws a Fault when a message is too long. */
export async function serveStdio(
  served: ServedWorkspace,
  host: NodeJS.Process,
  signal: AbortSignal,
): Promise<void> {
  const output = protocolOutput(host);
  const over = ended(host.stdin, output, signal);
  const lines = wellFormedLines((refusal) => void output.write(`${JSON.stringify(refusal)}\n`));
  const transport = new StdioServerTransport(host.stdin.pipe(lines), output, {
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
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

/** Passes lines on that are messages of JSON-RPC, and answers the others, for which a client would wait in vain. */
function wellFormedLines(refuse: (refusal: object) => void): Transform {
  let pieces: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        const line = Buffer.concat([...pieces, chunk.subarray(start, end + 1)]);
        pieces = [];
        start = end + 1;
        const text = line.toString().trim();
        const refusal = text === '' ? undefined : refusalOfLine(text);
        if (refusal) refuse(refusal);
        else this.push(line);
      }
      pieces.push(chunk.subarray(start));
      const waiting = pieces.reduce((sum, { length }) => sum + length, 0);
      // The transport refuses a line that is too long.
      if (waiting > MAX_MESSAGE_BYTES) for (const piece of pieces.splice(0)) this.push(piece);
      done();
    },
  });
}

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
