import { Fault } from '../../base/fault.ts';
import { withoutSecrets } from '../../base/text.ts';
import type { HttpProtocol, Wait } from './http-embedder.ts';

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Retries a server that is loading a model or busy. */
const PAUSES_MS = [500, 2000];

type Server = Pick<HttpProtocol, 'name' | 'url' | 'headers'>;

/** Posts JSON, or gets without a body, and returns the JSON of the response. Failures are Faults `embedder/…`. */
export async function exchangeJson(server: Server, body: object | undefined, wait: Wait): Promise<unknown> {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : { method: 'GET' };
  for (let attempt = 0; ; attempt++) {
    const response = await send(server, init);
    if (response.ok) return parse(server, response);
    const pause = PAUSES_MS[attempt];
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || pause === undefined) throw await refused(server, response);
    await response.body?.cancel();
    await wait(pause);
  }
}

async function send({ name, url, headers }: Server, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, {
      ...init,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      // A key for this server must not be sent to another.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    throw unreachable(name, url, cause);
  }
}

async function parse({ name, url }: Server, response: Response): Promise<unknown> {
  let text: string;
  try {
    text = await boundedText(response);
  } catch (cause) {
    throw unreachable(name, url, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault('embedder/failed', `The embedder ${name} did not answer with JSON.`, {
      hint: `Check that ${url} is the address of the right server.`,
      cause,
    });
  }
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('The answer is too long.');
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function unreachable(name: string, url: string, cause: unknown): Fault {
  const { origin } = new URL(url);
  return new Fault('embedder/unreachable', `The embedder ${name} does not answer at ${origin}.`, {
    hint: 'Start it, or set search.embedder to builtin.',
    cause,
  });
}

async function refused({ name, headers }: Server, response: Response): Promise<Fault> {
  const answer = withoutSecrets(await response.text().catch(() => ''), Object.values(headers));
  const said = answer.slice(0, 200).trim();
  const reason = `${response.status}: ${said || 'no reason'}`;
  return new Fault('embedder/failed', `The embedder ${name} refused with status ${reason}`, {
    hint: 'Check the name of the model, and the key if one is needed.',
  });
}
