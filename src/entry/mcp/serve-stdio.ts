import { Transform, Writable } from 'node:stream';
import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveOn } from '@modelcontextprotocol/server/stdio';
import { Fault } from '../../base/fault.ts';
import { mcpServers } from './mcp-server.ts';
import { refusalOfLine } from './plain-errors.ts';
import type { McpContext } from './serving/mcp-context.ts';
import { followAll, LISTEN, subscribedIn } from './serving/subscriptions.ts';

/** Serves until the client closes the pipe or `signal` aborts. Throws a Fault when a message is too long. */
export async function serveStdio(
  context: McpContext,
  host: NodeJS.Process,
  signal: AbortSignal,
): Promise<void> {
  const output = protocolOutput(host);
  const over = ended(host.stdin, output, signal);
  const lines = wellFormedLines(output);
  const transport = new StdioServerTransport(host.stdin.pipe(lines), output, {
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  const tooLong = Promise.race([over.then(() => false), closedByTransport(transport).then(() => true)]);
  const onerror = ({ message }: Error) => void context.serving.use(async ({ note }) => note(message));
  const handle = serveOn(mcpServers(context), { transport, onerror });
  followSubscriptions(transport, context);
  const isTooLong = await tooLong;
  await handle.close();
  await context.watch.close();
  if (isTooLong)
    throw new Fault(
      'net/protocol',
      'The client sent a message of more than 10 MiB, so the connection was closed.',
    );
}

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** A client that reads no answers is not read either while more than this many characters of them wait. */
export const MOST_UNREAD = 32 * 1024 * 1024;

/** Passes lines on that are messages of JSON-RPC, and answers the others, for which a client would wait in vain. */
export function wellFormedLines(output: Writable): Transform {
  let pieces: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        // A byte order mark is white space too. What was checked is what is passed on.
        const line = Buffer.concat([...pieces, chunk.subarray(start, end)])
          .toString()
          .trim();
        pieces = [];
        start = end + 1;
        const refusal = line === '' ? undefined : refusalOfLine(line);
        if (refusal) output.write(`${JSON.stringify(refusal)}\n`);
        else this.push(`${line}\n`);
      }
      pieces.push(chunk.subarray(start));
      const waiting = pieces.reduce((sum, { length }) => sum + length, 0);
      // The transport refuses a line that is too long.
      if (waiting > MAX_MESSAGE_BYTES) for (const piece of pieces.splice(0)) this.push(piece);
      if (output.writableLength <= MOST_UNREAD) done();
      else output.once('drain', () => done());
    },
  });
}

/** The SDK answers `subscriptions/listen` of the newest revision itself and does not say what is subscribed to. */
function followSubscriptions(transport: StdioServerTransport, { watch }: McpContext): void {
  const followed = new Map<unknown, readonly string[]>();
  const receive = transport.onmessage;
  let received: Promise<void> = Promise.resolve();
  const take = async (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message) && message.method === LISTEN)
      followed.set(message.id, await followAll(watch, subscribedIn(message)));
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      for (const uri of followed.get(id) ?? []) watch.unfollow(uri);
      followed.delete(id);
    }
    receive?.(message);
  };
  transport.onmessage = (message) => {
    received = received.then(() => take(message));
  };
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
