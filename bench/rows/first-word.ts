/** From the arrival of a model's first word to its place on the terminal. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { AmountRow, Row } from '../row.ts';
import { openTerminal } from '../terminal.ts';

const ANSWERS = 20;
/** A fast model thinks so long; meanwhile ken says what it waits for. */
const THINKS_MS = 300;
const TOKEN_MS = 50;
const TOKENS = ['Tea', ' is', ' **good**', '.'];
const BAR_MS = 150;

export const rows: readonly Row[] = [
  ...[20, 80, 200].map(
    (columns): AmountRow => ({
      name: `first-word-${columns}`,
      subject: `the first word on a terminal of ${columns} columns, p95 of ${ANSWERS} answers`,
      unit: 'ms',
      bar: BAR_MS,
      measure: (bench) => p95Of(bench, columns, kenAsks),
    }),
  ),
  {
    name: 'first-word-floor',
    subject: 'the same from a program that only writes on what it reads',
    unit: 'ms',
    measure: (bench) => p95Of(bench, 80, bareProgram),
  },
];

type Program = (bench: Bench, url: string) => string;

const kenAsks: Program = ({ home, launcher }, url) => {
  mkdirSync(path.join(home, 'config'), { recursive: true });
  const provider = `providers.llm.bench = { kind = "openai-compatible", base_url = "${url}/v1" }`;
  writeFileSync(path.join(home, 'config/config.toml'), `assistant.model = "bench/m"\n${provider}\n`);
  return `"${process.execPath}" "${launcher}" q --new hello`;
};

const bareProgram: Program = (_, url) => {
  const read = `fetch('${url}',{method:'POST'}).then(async ({body})=>{for await(const part of body)process.stdout.write(part)})`;
  return `"${process.execPath}" -e "${read}"`;
};

async function p95Of(bench: Bench, columns: number, program: Program): Promise<number> {
  const model = await slowModel();
  try {
    const line = program(bench, model.url);
    const times: number[] = [];
    while (times.length < ANSWERS) {
      const { directory, environment } = bench;
      const terminal = openTerminal(line, { directory, environment, columns });
      const shownAt = await terminal.appears('Tea');
      times.push(shownAt - model.sentAt());
      await terminal.ended();
    }
    times.sort((a, b) => a - b);
    process.stderr.write(` median ${times[ANSWERS / 2]?.toFixed(1)} ms,`);
    return times[Math.ceil(ANSWERS * 0.95) - 1] ?? 0;
  } finally {
    model.close();
  }
}

async function slowModel() {
  let sentAt = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => void answer(response, (at) => (sentAt = at)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => server.close();
  return { url: `http://127.0.0.1:${port}`, sentAt: () => sentAt, close };
}

async function answer(response: ServerResponse, sent: (at: number) => void): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  await setTimeout(THINKS_MS);
  sent(performance.now());
  for (const content of TOKENS) {
    response.write(event({ delta: { content }, finish_reason: null }));
    await setTimeout(TOKEN_MS);
  }
  response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
}

function event(choice: object): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
}
