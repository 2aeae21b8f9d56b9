/** The commands for a ledger that is shared through git. Two operators work in copies of one directory. */

import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { ptyProblem } from '../cli/pty.ts';

function person(): Sandbox {
  const place = sandboxHere('');
  writeOwnConfig(place.home, 'knowledge.share = "git"\n');
  return place;
}

const sharedOf = ({ root }: Sandbox) => path.join(root, '.ken/knowledge/shared');

function linesIn(place: Sandbox): string[] {
  return readdirSync(sharedOf(place))
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) =>
      readFileSync(path.join(sharedOf(place), name), 'utf8')
        .trim()
        .split('\n'),
    );
}

/** As a merge with `merge=union` leaves it. */
function merge(from: Sandbox, to: Sandbox): void {
  mkdirSync(sharedOf(to), { recursive: true });
  const known = new Set(readdirSync(sharedOf(to)).length > 0 ? linesIn(to) : []);
  for (const name of readdirSync(sharedOf(from)).filter((each) => each.endsWith('.jsonl'))) {
    const lines = readFileSync(path.join(sharedOf(from), name), 'utf8')
      .trim()
      .split('\n');
    const fresh = lines.filter((line) => !known.has(line)).map((line) => `${line}\n`);
    appendFileSync(path.join(sharedOf(to), name), fresh.join(''));
  }
}

const adding = (id: string, text: string, ...more: string[]) => [
  ...['k', 'add', '--id', id, '--title', `About ${id}`, '--text', text, '--provenance', 'cmd:x'],
  ...more,
];

async function json({ ken }: Sandbox, words: readonly string[], code = 0) {
  const result = await ken([...words, '--json']);
  expect(result, words.join(' ')).toMatchObject({ code });
  return JSON.parse(result.stdout);
}

const textOf = async (place: Sandbox, id: string) => (await json(place, ['k', 'show', id])).entry.content;

describe.skipIf(ptyProblem() !== undefined)('two operators', () => {
  it('see each other’s entries as claims, and decide on what changes their own', async () => {
    const [ada, bob] = [person(), person()];
    await ada.ken(adding('kettle', 'It is loud.', '--merge-key', 'kettle'));
    expect(readFileSync(path.join(sharedOf(ada), '../.gitattributes'), 'utf8')).toBe(
      '*.jsonl merge=union -text\n',
    );
    merge(ada, bob);
    const claim = await json(bob, ['k', 'show', 'kettle']);
    expect([claim.entry.content, claim.entry.claim]).toEqual(['It is loud.', true]);
    expect((await json(bob, ['k', 'search', 'loud'])).entries.length).toBe(1);

    await bob.ken(adding('newer', 'It is quiet now.', '--merge-key', 'kettle'));
    merge(bob, ada);
    expect(await textOf(ada, 'kettle')).toBe('It is loud.');
    const { proposals } = await json(ada, ['k', 'proposals']);
    expect(proposals).toMatchObject([{ type: 'add', why: 'it changes kettle, which is yours' }]);
    const [{ event_id: id }] = proposals;
    const refused = await ada.ken(['k', 'accept', id]);
    expect(refused.code).not.toBe(0);
    expect(await textOf(ada, 'kettle')).toBe('It is loud.');
    expect(await atTerminal(ada, ['k', 'accept', id], [])).toEqual({ code: 0, text: 'Accepted: kettle.\n' });
    expect(await textOf(ada, 'kettle')).toBe('It is quiet now.');
    expect(await json(ada, ['k', 'proposals'])).toEqual({ proposals: [] });

    await bob.ken(['k', 'deprecate', 'kettle', '--reason', 'sold']);
    merge(bob, ada);
    const [second] = (await json(ada, ['k', 'proposals'])).proposals;
    expect((await atTerminal(ada, ['k', 'decline', second.event_id], [])).code).toBe(0);
    merge(bob, ada);
    expect(await json(ada, ['k', 'proposals'])).toEqual({ proposals: [] });
    expect((await json(ada, ['k', 'show', 'kettle'])).entry.status).toBe('active');
    const again = await atTerminal(ada, ['k', 'accept', second.event_id], []);
    expect(again).toEqual({
      code: 3,
      text: `ken: No proposal "${second.event_id}" waits.\nhint: See "ken knowledge proposals".\n`,
    });
  });

  it('share claims: new ones count at once, other words for one’s own are a proposal', async () => {
    const [ada, bob] = [person(), person()];
    const textsOf = async (place: Sandbox) =>
      (await json(place, ['k', 'claims'])).claims.map((each: Record<string, unknown>) => [
        ...[each.text, each.claim === true, each.supports, each.contradicts],
      ]);
    await ada.ken(['k', 'claims', 'safe', '--text', 'It is safe.']);
    await ada.ken(adding('one', 'A reason.', '--supports', 'safe'));
    merge(ada, bob);
    expect(await textsOf(bob)).toEqual([['It is safe.', true, 1, 0]]);
    await bob.ken(adding('two', 'A doubt.', '--contradicts', 'safe'));
    await bob.ken(['k', 'claims', 'safe', '--text', 'It is safe in winter.']);
    expect(await textsOf(bob)).toEqual([['It is safe in winter.', false, 1, 1]]);
    merge(bob, ada);
    expect(await textsOf(ada)).toEqual([['It is safe.', false, 1, 1]]);
    const [proposal] = (await json(ada, ['k', 'proposals'])).proposals;
    expect(proposal).toMatchObject({ type: 'claim', why: 'it restates the claim safe, which is yours' });
    const accepted = await atTerminal(ada, ['k', 'accept', proposal.event_id], []);
    expect(accepted).toEqual({ code: 0, text: 'Accepted: safe.\n' });
    expect(await textsOf(ada)).toEqual([['It is safe in winter.', false, 1, 1]]);
    expect(await json(ada, ['k', 'proposals'])).toEqual({ proposals: [] });
    expect((await atTerminal(ada, ['k', 'erase', 'claim=safe', '--yes'], [])).code).toBe(0);
    expect(linesIn(ada).join('\n')).not.toContain('It is safe');
    await ada.ken(['k', 'list']);
    merge(ada, bob);
    expect((await json(bob, ['k', 'proposals'])).proposals).toMatchObject([
      { type: 'erase', why: 'it asks to erase claim=safe' },
    ]);
  });

  it('erase for themselves, and ask the others; what was erased does not come back with a merge', async () => {
    const [ada, bob] = [person(), person()];
    await ada.ken(adding('secret', 'The word is marmalade.'));
    await ada.ken(adding('other', 'Unrelated.'));
    merge(ada, bob);
    expect(await textOf(bob, 'secret')).toBe('The word is marmalade.');
    const erased = await atTerminal(ada, ['k', 'erase', 'secret', '--yes'], []);
    expect(erased.code, erased.text).toBe(0);
    expect(linesIn(ada).join('\n')).not.toContain('marmalade');
    await ada.ken(['k', 'list']);
    merge(ada, bob);
    expect(await textOf(bob, 'secret')).toBe('The word is marmalade.');
    const [tombstone] = (await json(bob, ['k', 'proposals'])).proposals;
    expect(tombstone).toMatchObject({ type: 'erase', why: 'it asks to erase secret' });
    merge(bob, ada);
    expect((await ada.ken(['k', 'show', 'secret'])).code).not.toBe(0);
    expect((await json(ada, ['k', 'list'])).entries.map(({ id }: { id: string }) => id)).toEqual(['other']);
    const { code, text } = await atTerminal(bob, ['k', 'accept', tombstone.event_id], []);
    expect([code, text]).toEqual([
      4,
      'ken: An erasure is done by its own command, which shows every copy first.\n' +
        `hint: Run "ken knowledge erase secret", or "ken knowledge decline ${tombstone.event_id}".\n`,
    ]);
    expect((await atTerminal(bob, ['k', 'erase', 'secret', '--yes'], [])).code).toBe(0);
    expect(await json(bob, ['k', 'proposals'])).toEqual({ proposals: [] });
    const left = readdirSync(path.join(bob.root, '.ken/knowledge'), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => readFileSync(path.join(each.parentPath, each.name), 'latin1'));
    expect(left.join('\n')).not.toContain('marmalade');
  });
});

it('a promotion of somebody else makes no rule, and says how to make one', async () => {
  const [ada, bob] = [person(), person()];
  writeOwnConfig(ada.home, 'knowledge.share = "git"\napprovals.noninteractive = "allow"\n');
  await ada.ken(adding('fact', 'Always warm the pot.'));
  const promoted = [
    'k',
    'promote',
    'fact',
    '--evidence-ref',
    'cmd:x',
    '--reason',
    'r',
    '--as',
    'procedural/pot',
  ];
  expect((await ada.ken(promoted)).code).toBe(0);
  merge(ada, bob);
  expect((await json(bob, ['k', 'list'])).entries.map(({ id }: { id: string }) => id)).toEqual(['fact']);
  expect((await json(bob, ['k', 'proposals'])).proposals).toMatchObject([
    { type: 'promotion', why: 'it promotes or revokes a rule' },
  ]);
});

it('an audit names twins, pairs, clocks that are ahead and lines that are none', async () => {
  const [ada, bob] = [person(), person()];
  await ada.ken(adding('one', 'Port 1.', '--merge-key', 'port'));
  await bob.ken(adding('two', 'Port 2.', '--merge-key', 'port'));
  const [line = ''] = linesIn(ada);
  const event = JSON.parse(line);
  merge(ada, bob);
  // The later of two active entries stays; of the operator's own, always theirs.
  expect((await json(bob, ['k', 'show', 'two'])).entry.status).toBe('active');
  expect((await json(bob, ['k', 'show', 'one'])).entry.status).toBe('superseded');
  const [file = ''] = readdirSync(sharedOf(bob)).filter((name) => name.endsWith('.jsonl'));
  const forged = { ...event, actor: 'mallory', changes: [{ ...event.changes[0], text: 'Port 3.' }] };
  const ahead = { ...event, event_id: `7ZZZZZZZZZ${event.event_id.slice(10)}`, actor: 'eve' };
  const lines = [JSON.stringify(forged), JSON.stringify(ahead), '<<<<<<< HEAD', '{"event_id":"x"}'];
  appendFileSync(path.join(sharedOf(bob), file), `${lines.join('\n')}\n`);
  appendFileSync(path.join(sharedOf(ada), file), `${JSON.stringify(forged)}\n`);
  const { findings } = await json(bob, ['k', 'audit'], 6);
  const shared = (all: { kind: string; message: string }[]) =>
    all.filter(({ kind }) => kind.startsWith('shared_'));
  expect(shared(findings).map(({ kind }) => kind)).toEqual([
    'shared_pair',
    'shared_twin',
    'shared_ahead',
    'shared_line',
  ]);
  expect(shared(findings)[3]?.message).toContain(
    'has 2 lines that ken cannot read; line 5: is not an event.',
  );
  // An operator's own event goes before a forgery of it, and both clones go on.
  expect(await textOf(ada, 'one')).toBe('Port 1.');
  expect(shared((await json(ada, ['k', 'audit'], 6)).findings).map(({ kind }) => kind)).toEqual([
    'shared_twin',
  ]);
});

it('a file with a line without end loses nothing, and an audit names it', async () => {
  const [ada, bob] = [person(), person()];
  await ada.ken(adding('one', 'Said once.'));
  merge(ada, bob);
  expect(await textOf(bob, 'one')).toBe('Said once.');
  const [file = ''] = readdirSync(sharedOf(bob)).filter((name) => name.endsWith('.jsonl'));
  truncateSync(path.join(sharedOf(bob), file), 65 * 2 ** 20);
  expect(await textOf(bob, 'one')).toBe('Said once.');
  const { findings } = await json(bob, ['k', 'audit'], 6);
  expect(findings).toContainEqual(
    expect.objectContaining({
      kind: 'shared_line',
      message: `${file} is not read: it has more than 64 MB, or is not a plain file.`,
    }),
  );
});

it('a line that is gone deletes nothing, and is not written again', async () => {
  const [ada, bob] = [person(), person()];
  await ada.ken(adding('one', 'Said once.'));
  merge(ada, bob);
  expect(await textOf(bob, 'one')).toBe('Said once.');
  for (const place of [ada, bob]) {
    const [file = ''] = readdirSync(sharedOf(place)).filter((name) => name.endsWith('.jsonl'));
    writeFileSync(path.join(sharedOf(place), file), '');
    expect(await textOf(place, 'one')).toBe('Said once.');
    expect(readFileSync(path.join(sharedOf(place), file), 'utf8')).toBe('');
  }
});

it('an entry from before it was shared goes out whole, and a workspace alone shares nothing', async () => {
  const [ada, bob] = [sandboxHere(''), person()];
  await ada.ken(adding('early', 'From the beginning.', '--tag', 'old', '--merge-key', 'k'));
  expect(readdirSync(path.join(ada.root, '.ken/knowledge'))).not.toContain('shared');
  writeOwnConfig(ada.home, 'knowledge.share = "git"\n');
  await ada.ken(adding('later', 'From the beginning on.', '--merge-key', 'k'));
  merge(ada, bob);
  const { entry } = await json(bob, ['k', 'show', 'early']);
  expect([entry.content, entry.tags, entry.version]).toEqual(['From the beginning on.', ['old'], 2]);
});

it('is taken from a workspace only once that is trusted', async () => {
  const ada = person();
  await ada.ken(adding('one', 'Of Ada.'));
  const clone = sandboxHere('knowledge.share = "git"\n');
  cpSync(sharedOf(ada), sharedOf(clone), { recursive: true });
  expect((await json(clone, ['k', 'list'])).entries).toEqual([]);
});
