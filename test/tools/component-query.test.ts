/** Components as tools of a query. */

import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { probeGuest } from '../wasm/build-guest.ts';
import { type Said, scriptedModel } from './model-script.ts';
import { toolSandbox } from './tool-sandbox.ts';

const PROBE = `[conversation.tools.probe]
wasm = "@home/probe.wasm"
access = "write"
run = "unattended"
[conversation.tools.probe.parameters.steps]
type = "array"
`;

async function probePlace(...said: readonly Said[]): Promise<Sandbox> {
  const model = await scriptedModel(...said);
  const place = toolSandbox(`${model.config}${PROBE}`);
  copyFileSync(await probeGuest(), path.join(place.home, 'probe.wasm'));
  place.write('a.txt', 'the text');
  return place;
}

const STEPS = [
  { do: 'print', text: 'said aloud\n' },
  { do: 'warn', text: 'careful' },
  { do: 'open', on: '/workspace', path: 'a.txt' },
  { do: 'read' },
];
const CALL = { call: 'probe', with: { steps: STEPS } };
/** The line may be the component's own or, while it is not ready, the arguments. */
const evened = (text: string) =>
  text.replace(/took .* memory/g, 'took …').replace('→ probe probe ', '→ probe ');

it('shows with -v what a component printed and touched, and keeps it with the conversation', async () => {
  const place = await probePlace(CALL, 'Done.', CALL, 'Done.');
  const loud = await place.ken(['q', 'Look.', '-v']);
  expect(loud).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(evened(loud.stderr)).toBe(
    [
      `→ probe ${JSON.stringify(CALL.with)}`,
      '  probe: took …',
      '  probe: read /workspace/a.txt (8 bytes)',
      '  probe: stdout: said aloud',
      '  probe: stderr: careful',
      '',
    ].join('\n'),
  );
  const quiet = await place.ken(['q', 'Look again.']);
  expect(evened(quiet.stderr)).toBe(`→ probe ${JSON.stringify(CALL.with)}\n`);

  const conversations = path.join(place.root, '.ken/conversations');
  const [id = ''] = readdirSync(conversations).filter((name) => !name.startsWith('.'));
  const lines = readFileSync(path.join(conversations, id, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const result = lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'tool_result');
  expect(result.receipt).toEqual({
    milliseconds: expect.any(Number),
    filesRead: [{ path: '/workspace/a.txt', bytes: 8 }],
    filesWritten: [],
    stdoutBytes: 11,
    stderrBytes: 7,
    stdout: 'said aloud\n',
    stderr: 'careful',
    memoryPeakBytes: expect.any(Number),
  });

  const shown = await place.ken(['c', 'show', '--receipts']);
  expect(shown.stdout.split('\n').filter((line) => line.startsWith('receipt'))).toEqual([
    expect.stringContaining('probe'),
    expect.stringContaining('probe'),
  ]);
  const json = JSON.parse((await place.ken(['c', 'show', '--receipts', '--json'])).stdout);
  expect(JSON.stringify(json)).toContain('/workspace/a.txt');
  expect((await place.ken(['c', 'show'])).stdout).not.toContain('receipt');
});

it('does nothing with a component before the model calls it', async () => {
  let kept: readonly string[] | undefined;
  const after = async () => {
    const cache = path.join(place.home, 'cache/components');
    kept = existsSync(cache) ? readdirSync(cache) : [];
  };
  const place = await probePlace({ ...CALL, after }, 'Done.');
  expect(await place.ken(['q', 'Look.'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(kept).toEqual([]);
});
