import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes per piece; absent: all at once. */
  readonly piece?: number;
  /** The connection is destroyed after so many bytes. */
  readonly cutAt?: number;
  /** The body ends, in good order, after so many bytes. */
  readonly endAt?: number;
  /** Runs after this many bytes are sent; the rest waits for it. */
  readonly pause?: { readonly at: number; until(): Promise<unknown> };
  /** Nothing is sent until this ends. */
  before?(): Promise<unknown>;
  /** Sends an event of the stream, then the next one after this time; `sent` is told each. */
  readonly pace?: { readonly everyMs: number; sent(event: string): void };
}

export interface ReplayServer {
  readonly url: string;
  readonly requests: { readonly path: string; readonly body: string }[];
}

/** In turn, or by what was asked. */
export type Answers = readonly Answer[] | ((body: string) => Answer);

/** A provider on loopback that gives the answers byte for byte. */
export async function replayServer(answers: Answers): Promise<ReplayServer> {
  const requests: ReplayServer['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const answer = typeof answers === 'function' ? answers(body) : answers[requests.length];
      requests.push({ path: request.url ?? '', body });
      // Whoever asked may be gone before the end.
      if (answer) send(response, answer).catch(() => response.destroy());
      else response.writeHead(500).end('The script has no more answers');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

async function inPieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise<void>((resolve, reject) => {
      response.write(bytes.subarray(at, at + size), (error) => (error ? reject(error) : resolve()));
    });
  }
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  await answer.before?.();
  response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
  const whole = Buffer.from(answer.body);
  const bytes = whole.subarray(0, answer.cutAt ?? answer.endAt ?? whole.length);
  const size = answer.piece ?? Math.max(1, bytes.length);
  const { pause, pace } = answer;
  if (pace) {
    for (const event of answer.body.split(/(?<=\n\n)/)) {
      response.write(event);
      pace.sent(event);
      await delay(pace.everyMs);
    }
    response.end();
    return;
  }
  const [first, rest] = pause ? [bytes.subarray(0, pause.at), bytes.subarray(pause.at)] : [bytes, undefined];
  await inPieces(response, first, size);
  await pause?.until();
  if (rest) await inPieces(response, rest, size);
  if (answer.cutAt === undefined) response.end();
  else response.destroy();
}
