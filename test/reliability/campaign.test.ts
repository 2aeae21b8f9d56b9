/**
 * Every command that docs/json.md lists, and more that write, is killed at any moment. Then the same command works, doctor
 * finds nothing that it would not find otherwise, nothing acknowledged is lost, and nothing is left behind.
 */

import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { JSON_CALLS, type JsonCall } from '../cli/json-calls.ts';
import type { Sandbox } from '../cli/ken.ts';
import { runEnvironment } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { prepareCall, wordsOf } from '../cli/prepare-call.ts';
import { scaled } from '../scale.ts';
import { seededRandom } from '../seeded-random.ts';
import { killWhileWriting } from './kill-while-writing.ts';

const child = path.join(import.meta.dirname, 'ken-child.ts');
const FACT = ['--title', 'Tea', '--text', 'Green tea is steeped at 80 degrees.', '--provenance', 'cmd:x'];
const KEPT = [['k', 'add', '--id', 'kept', ...FACT]];
const LINES = '.ken/../ledger.jsonl';

/** Commands without JSON, and calls of others that write. */
const MORE: Readonly<Record<string, JsonCall>> = {
  'a question': { words: ['q', '-n', 'How is tea steeped?'], config: '' },
  'one more question': { words: ['q', '--id', '@last', 'And?'], config: '', before: [['q', '-n', 'What?']] },
  'a private question': { words: ['q', '-n', '--local', 'What?'], config: '' },
  'an import of entries': {
    words: ['k', 'import', 'ledger.jsonl'],
    config: '',
    before: [
      ['k', 'add', '--id', 'other', ...FACT],
      ['k', 'export', '--output', LINES],
      ['k', 'deprecate', 'other'],
    ],
  },
  'a restored backup': {
    words: ['restore', 'all.ken.tar.gz', '--yes', '--newer'],
    config: '',
    files: { '.ken/kb/project/a.md': '# A\n' },
    before: [
      ['backup', 'all.ken.tar.gz'],
      ['kb', 'rm', 'project/a', '--yes'],
    ],
  },
  'a backup of ken’s own place': { words: ['backup'], config: '' },
  'expired entries': {
    words: ['k', 'decay'],
    config: '',
    before: [['k', 'add', '--id', 'old', ...FACT, '--ttl-policy', 'decay', '--expires-ts', '1Z']],
  },
};

interface Named {
  readonly name: string;
  readonly call: JsonCall;
}

const CALLS: readonly Named[] = [
  ...Object.entries(JSON_CALLS).flatMap(([title, calls]) =>
    calls.map((call, at) => ({ name: `${title} ${at}`, call })),
  ),
  ...Object.entries(MORE).map(([name, call]) => ({ name, call })),
].filter(({ call }) => (call.code ?? 0) === 0 && !call.hasTeam && !call.compiles);

/** All of them in the long run, and in turn, as the seed wants, some of them. */
const random = seededRandom('campaign');
const CHOSEN = CALLS.map((each) => ({ each, order: random() }))
  .sort((a, b) => a.order - b.order)
  .slice(0, scaled(6, CALLS.length))
  .map(({ each }) => each);
const KILLS = scaled(1, 22);

interface Prepared {
  readonly place: Sandbox;
  readonly words: readonly string[];
  reset(): void;
}

async function prepared({ call }: Named): Promise<Prepared> {
  const place = sandboxHere(call.config);
  await prepareCall(place, call);
  const inWorkspace = call.config !== undefined;
  if (inWorkspace) for (const words of KEPT) await place.ken(words);
  const words = await wordsOf(place, call.words);
  const base = path.dirname(place.root);
  const parts = ['work', 'home'];
  for (const part of parts) cpSync(path.join(base, part), path.join(base, 'copy', part), { recursive: true });
  return {
    place,
    words,
    reset() {
      for (const part of parts) {
        rmSync(path.join(base, part), { recursive: true });
        cpSync(path.join(base, 'copy', part), path.join(base, part), {
          recursive: true,
          preserveTimestamps: true,
        });
      }
    },
  };
}

/** The problems that doctor finds, and whether it finds something to mend. */
async function state({ ken }: Sandbox) {
  const { stdout, code } = await ken(['doctor', '--json']);
  const checks: { id: string; status: string }[] = code === 70 ? [] : JSON.parse(stdout).checks;
  const bad = checks.filter(
    ({ id, status }) => status === 'problem' || (id === 'repairs' && status !== 'ok'),
  );
  const kept = (await ken(['k', 'list', '--json'])).stdout.includes('"kept"');
  return { bad: bad.map(({ id }) => id), kept, isBug: code === 70 };
}

const TEMPORARY = /^\.(?:ken-.*\.tmp|(?:new|gone)-.*)$/;

function leftovers({ root, home }: Sandbox): string[] {
  return [root, home].flatMap((directory) =>
    readdirSync(directory, { recursive: true })
      .map(String)
      .filter((file) => TEMPORARY.test(path.basename(file)) && !file.includes('compiled')),
  );
}

it.each(CHOSEN)(
  '$name can be killed at any moment',
  async (named) => {
    const { place, words, reset } = await prepared(named);
    const environment = runEnvironment(place.home, named.call.environment) as Record<string, string>;
    const first = await place.ken(words, { environment: named.call.environment ?? {} });
    const once = await state(place);
    const second = await place.ken(words, { environment: named.call.environment ?? {} });
    const codes = new Set([first.code, second.code]);
    reset();
    const before = await state(place);
    const usual = new Set([...once.bad, ...before.bad]);
    const program = () => {
      reset();
      return {
        command: process.execPath,
        arguments: [child, '--workspace', place.root, ...words].filter(
          (_, at) => named.call.config !== undefined || (at !== 1 && at !== 2),
        ),
        environment,
        directory: place.root,
      };
    };
    await killWhileWriting(program, KILLS, async ({ phase }) => {
      const killed = await state(place);
      const again = await place.ken(words, { environment: named.call.environment ?? {} });
      const after = await state(place);
      expect({
        phase,
        code: codes.has(again.code) ? 'as ever' : `${again.code}: ${again.stderr}`,
        problems: [...killed.bad, ...after.bad].filter((id) => id !== 'repairs' && !usual.has(id)),
        kept: [killed.kept, after.kept],
        isBug: killed.isBug || after.isBug,
        left: leftovers(place),
      }).toEqual({
        phase,
        code: 'as ever',
        problems: [],
        kept: [before.kept, before.kept],
        isBug: false,
        left: [],
      });
    });
  },
  scaled(120_000, 600_000),
);

it('kills at least two thousand in the long run', () => {
  expect(CALLS.length * 22).toBeGreaterThanOrEqual(2000);
});
