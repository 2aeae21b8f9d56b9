/** Every example of a help is run, in a workspace that has what the examples name. */

import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { splitCommand } from '../../src/base/shell-words.ts';
import { walkCommands } from '../../src/entry/cli/find-command.ts';
import { OVERVIEW_EXAMPLES } from '../../src/entry/cli/help.ts';
import { COMMANDS } from '../../src/entry/cli/registry.ts';
import { type ExamplePlace, examplePlace } from './example-place.ts';
import { type Result, sandbox } from './ken.ts';
import { runningHere } from './ken-here.ts';
import { LAUNCHER } from './launcher.ts';

const all = (await walkCommands(COMMANDS)).flatMap(({ command }) => command.examples ?? []);
const EXAMPLES = [...new Set([...OVERVIEW_EXAMPLES, ...all])];

/** They run until they are interrupted. */
const SERVING = /^(?:web(?! --print)|mcp --http|watch)/;

/** Files that an example makes, which must be absent before. */
const REMOVED: readonly (readonly [RegExp, string])[] = [
  [/^c export/, 'talk.jsonl'],
  [/^k export/, 'ledger.jsonl'],
  [/^ref export/, 'dioxus-topic'],
  [/^ref (?:create --title Dioxus|import \.)/, '../home/data/references/dioxus'],
  [/^kb add project\/maintainers/, '.ken/kb/project/maintainers/ada.md'],
  [/^kb add skills/, '.ken/kb/skills/ast-grep/rules.md'],
  [/^kb mv project\/ast-grep/, '.ken/kb/skills/ast-grep'],
  [/^kb new/, '.ken/config.toml'],
  [/^tools new hello/, '.ken/config.toml'],
  [/^tools new hello/, '.ken/tools'],
];

/** Examples that end with another code than 0 here, and why. */
const ENDS: readonly (readonly [RegExp, number, string])[] = [
  [/^approvals (?:approve|lock|unlock)/, 4, 'a person decides, at a terminal'],
  [/^(?:c erase 01k9|k erase \w+|ref erase topic-dioxus)$/, 4, 'a person decides, at a terminal'],
  [/^k (?:accept|decline|confirm --all|promote)/, 4, 'a person decides, at a terminal'],
  [/^config set --user/, 4, 'a person decides, at a terminal'],
  [/^ref create/, 4, 'a person decides, at a terminal'],
  [/^(?:c rm 01k9|kb rm project\/old-notes|ref delete dioxus)$/, 2, 'it asks at a terminal, or needs --yes'],
  [/^approvals revoke \w+$/, 3, 'no approval covers a conversation'],
  [/^config unset/, 3, 'the file does not set it'],
  [/^jobs cancel/, 5, 'the job has ended'],
  [/^k search .*--as-of/, 1, 'the ledger is younger'],
  [/^k show .*--as-of/, 3, 'the ledger is younger'],
  [/^k confirm 01K9/, 2, 'it is no claim'],
  [/^k restore/, 5, 'it is active'],
  [/^k import ~/, 0, 'what other programs told is no rule'],
  [/^k import/, 1, 'a rule is not imported'],
  [/^tools (?:ls --server|check issues)/, 1, 'the server is not installed'],
  [/^tools run \.ken/, 1, 'the component here reads a file'],
  [/^tools run deploy/, 4, 'a person decides, at a terminal'],
  [/^tools build/, 3, 'the tutorial, which a test follows, makes and builds one'],
  [/^chat/, 2, 'it needs a terminal'],
  [/^serve .*--tls-cert/, 3, 'there is no certificate'],
  [/^(?:serve|team)/, 2, 'no team is set up'],
  [/^web --print-login/, 4, 'a person signs in, at a terminal'],
  [/^ref doctor/, 6, 'its files were copied back, so the index looks at them again'],
  [/^(?:k verify|k audit|doctor(?! --repair).*)$|^show .*--sha256/, 6, 'they find something'],
];

const REDIRECTS = /[|<>~]|\*\.jsonl/;
const unquoted = (line: string) => line.replaceAll(/'[^']*'|"[^"]*"/g, '');

async function ends(made: ExamplePlace, example: string): Promise<Result> {
  const { place, ids } = made;
  made.restore();
  for (const [pattern, file] of REMOVED)
    if (pattern.test(example)) rmSync(path.join(place.root, file), { recursive: true, force: true });
  const line = example
    .replace(/^approvals (\w+) 3f2a/, `approvals $1 ${ids.get('approval')}`)
    .replace(/^jobs (\w+) 3f2a/, `jobs $1 ${ids.get('job')}`)
    .replace('c0ffee1', ids.get('commit') ?? '');
  const environment = { VISUAL: '/usr/bin/true' };
  if (line.startsWith('mcp') || REDIRECTS.test(unquoted(line)))
    return place.shell(`ken ${line}`, { environment });
  return runningHere(place).ken(splitCommand(line) ?? [], { environment });
}

it('runs every example as its help promises', async () => {
  const made = await examplePlace(sandbox(''));
  const wrong: unknown[] = [];
  for (const example of EXAMPLES.filter((each) => !SERVING.test(each))) {
    const expected = ENDS.find(([pattern]) => pattern.test(example))?.[1] ?? 0;
    const { code, stderr } = await ends(made, example);
    if (code !== expected) wrong.push({ example, code, expected, stderr });
  }
  expect(wrong).toEqual([]);
}, 300_000);

const INTERRUPTED = `"${process.execPath}" "$LAUNCHER" $EXAMPLE > out 2>&1 < /dev/null &
until [ -s out ] || [[ $EXAMPLE == *--quiet && -e "$KEN_HOME/cache/workspaces" ]]; do sleep .05; done
kill -INT $!
wait $!`;

it('serves as every example says, until it is interrupted', async () => {
  const examples = EXAMPLES.filter((each) => SERVING.test(each));
  expect(examples.length).toBeGreaterThan(4);
  const ended = await Promise.all(
    examples.map(async (example) => {
      const place = sandbox('');
      // Another server may have the port of the example.
      const environment = { LAUNCHER, EXAMPLE: example.replace('--port 8080', '--port 0') };
      const { code, stderr } = await place.shell(INTERRUPTED, { environment });
      return { example, code, stderr };
    }),
  );
  expect(ended.filter(({ code }) => code !== 0 && code !== 130)).toEqual([]);
});
