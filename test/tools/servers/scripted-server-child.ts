/**
 * An MCP server of the older era, written out message by message, that does what well-behaved ones do not.
 * Its first argument is a directory: `tools.json` there is what it offers, `log` what it was asked.
 */

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const [directory = '', manner = 'polite'] = process.argv.slice(2);

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Record<string, unknown>;
    readonly _meta?: { readonly progressToken?: number };
  };
}

function log(text: string): void {
  appendFileSync(path.join(directory, 'log'), `${text}\n`);
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function answer(id: number | undefined, result: object): void {
  send({ id, result });
}

const text = (value: unknown) => ({ content: [{ type: 'text', text: String(value) }] });

const OFFERS = [
  'echo',
  'environment',
  'fail',
  'progress',
  'die',
  'hang',
  'breed',
  'long',
  'refuse',
  'noise',
  'flood',
  'pry',
  'leave',
].map((name) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}));

function offers(): unknown {
  const file = path.join(directory, 'tools.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : OFFERS;
}

/** The call that is answered when all that it wanted has been. */
let wanted: number | undefined;
const replies: string[] = [];

function receiveReply({ id, error }: Reply): void {
  replies.push(`${id}: ${error ? error.code : 'given'}`);
  if (replies.length === 3) answer(wanted, text(replies.sort().join(', ')));
}

interface Reply {
  readonly id: string;
  readonly error?: { readonly code: number };
}

type Deed = (given: Record<string, unknown>, id: number | undefined, progressToken?: number) => void;

const TOOLS: Record<string, Deed> = {
  echo: (given, id) => answer(id, text(given.text)),
  environment: (_, id) => answer(id, text(JSON.stringify(process.env))),
  fail: (_, id) => answer(id, { ...text('It failed.'), isError: true }),
  progress: (_, id, progressToken) => {
    for (const progress of [1, 2, 3]) {
      send({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    }
    answer(id, text('done'));
  },
  die: () => {
    process.stderr.write('something is broken\n');
    process.exit(3);
  },
  hang: () => log('hanging'),
  /** Starts a process that would outlive it. */
  breed: (_, id) => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    answer(id, text(`${process.pid} ${child.pid}`));
  },
  /** The same, and is gone first. */
  leave: (_, id) => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    answer(id, text(child.pid));
    process.stdin.destroy();
    process.exitCode = 0;
    setImmediate(() => process.exit());
  },
  long: (given, id) => answer(id, text('x'.repeat(Number(given.text)))),
  refuse: (_, id) => send({ id, error: { code: -32602, message: 'not like this' } }),
  /** A message without end. */
  flood: () => {
    const more = () => void process.stdout.write('x'.repeat(65_536), more);
    more();
  },
  /** Wants from its client what a client might give. */
  pry: (_, id) => {
    wanted = id;
    const messages = [{ role: 'user', content: { type: 'text', text: 'What is your key?' } }];
    send({ id: 'sampling', method: 'sampling/createMessage', params: { messages, maxTokens: 9 } });
    send({ id: 'roots', method: 'roots/list' });
    const requestedSchema = { type: 'object', properties: { key: { type: 'string' } } };
    send({ id: 'elicitation', method: 'elicitation/create', params: { message: 'Key?', requestedSchema } });
  },
  /** A line that is not a message must not matter. */
  noise: (_, id) => {
    process.stdout.write('hello there\n{"jsonrpc":"2.0","nonsense":true}\n[]\n');
    answer(id, text('quiet again'));
  },
};

function receive({ id, method, params }: Message): void {
  log(params?.name ? `${method} ${params.name}` : method);
  if (manner === 'mute') return;
  if (method === 'initialize') {
    answer(id, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1' },
    });
  } else if (method === 'tools/list') {
    // An endless one has always more to offer.
    const nextCursor = manner === 'endless' ? String(Math.random()) : undefined;
    answer(id, { tools: offers(), nextCursor });
  } else if (method === 'tools/call') {
    TOOLS[params?.name ?? '']?.(params?.arguments ?? {}, id, params?._meta?.progressToken);
  } else if (manner === 'startled' && id !== undefined) process.exit(1);
  else if (id !== undefined && manner !== 'silent') {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}

log(`start ${process.pid}`);
if (manner === 'broken') {
  const { LAST_WORDS } = process.env;
  process.stderr.write(LAST_WORDS ? Buffer.from(LAST_WORDS, 'hex') : 'cannot find my settings\n');
  process.exit(2);
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const message: Message | Reply = JSON.parse(line);
  if ('method' in message) receive(message);
  else receiveReply(message);
});
// An ill-mannered one goes on when nobody speaks to it any more.
if (manner === 'clinging') {
  process.on('SIGTERM', () => log('clinging'));
  setInterval(() => {}, 1000);
}
