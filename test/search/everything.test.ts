import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import type { Envelope, Hit } from '../../src/domain/search/engine/hit.ts';
import { writeAnswered } from '../cli/answered-conversation.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

function box(): Sandbox {
  const made = sandboxHere('[kb.topic.project]\nsubjects = "kb"\n');
  made.write('docs/ports.md', '# Ports\n\nThe gate listens on 8080.\n');
  made.write(
    'kb/gate.md',
    ['# Gate', '', 'The gate lets ferry passengers in.', '', '## Closing', '', 'It closes at noon.'].join(
      '\n',
    ),
  );
  return made;
}

async function search({ ken }: Sandbox, ...words: string[]): Promise<readonly Hit[]> {
  const { stdout, stderr } = await ken(['search', '--json', ...words]);
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as Envelope).hits;
}

const add = ({ ken }: Sandbox, id: string, text: string, ...more: string[]) =>
  ken(['k', 'add', '--id', id, '--title', `About ${id}`, '--text', text, '--provenance', ...more]);

it('finds entries of the ledger, with what the ledger tells of them', async () => {
  const made = box();
  const cited = ['file:docs/ports.md#L3', '--label', 'team=harbour', '--tag', 'net'];
  await add(made, 'gate-port', 'The gate listens on 8080.', ...cited);
  const [hit] = await search(made, '--in', 'ledger', 'which port does the gate listen on');
  expect(hit).toMatchObject({
    kind: 'entry',
    id: 'gate-port',
    title: 'About gate-port',
    snippet: 'The gate listens on 8080.',
    citation: { uri: 'ken://entry/gate-port@v1' },
    freshness: { status: 'current' },
    trust: { tier: 'entry' },
    labels: { team: 'harbour' },
    entry: {
      id: 'gate-port',
      content: 'The gate listens on 8080.',
      status: 'active',
      standing: 'entry',
      tags: ['net'],
    },
  });
  expect((await search(made, '--label', 'team=harbour', 'gate')).map(({ id }) => id)).toEqual(['gate-port']);
  expect((await search(made, '--path', 'docs/', 'gate')).map(({ id }) => id)).toEqual(['gate-port']);
});

it('explains a score in words, and leaves out what only fills the list', async () => {
  const made = box();
  await add(made, 'odd', 'Zinc melts in a crucible.', 'cmd:x');
  const { stdout } = await made.ken(['search', '--explain', 'ferry passengers of zanzibar']);
  expect(stdout).toBe(
    [
      'kb/gate.md:3  Gate',
      '  1. strong · knowledge base',
      '  The gate lets ferry passengers in.',
      '  chance 0.99: has 67 % of the question, 67 % in one place, 0 % in names, cosine 0.75',
      '  ranked by 0.94 = (words 1.00 × 0.65 + meaning 1.00 × 0.35 + beginning 0.49 × 0.15 + word pairs 1.00 × 0.09) ÷ 1.24',
      '  words: ferry 0.95 (in 1 chunk), passengers 0.95 (in 1 chunk)',
      '  not here: zanzibar',
      '',
      '',
    ].join('\n'),
  );
});

it('trusts an entry as far as its evidence goes, and no further than the file it cites', async () => {
  const made = box();
  await add(made, 'gate-port', 'The gate listens on 8080.', 'file:docs/ports.md#L3');
  const standing = async () => {
    const [hit] = await search(made, '--in', 'ledger', 'gate listens');
    return [hit?.trust.tier, hit?.freshness.status, hit?.freshness.verified_at !== undefined];
  };
  expect(await standing()).toEqual(['entry', 'current', false]);
  await made.ken(['k', 'verify']);
  expect(await standing()).toEqual(['verified', 'current', true]);
  made.write('docs/ports.md', '# Ports\n\nThe gate listens on 8081.\n');
  expect(await standing()).toEqual(['entry', 'current', true]);
  await made.ken(['k', 'verify']);
  expect(await standing()).toEqual(['stale', 'stale', true]);
});

it('finds no entry that was superseded, deprecated or has expired', async () => {
  const made = box();
  const ids = async () => (await search(made, '--in', 'ledger', 'gate number')).map(({ id }) => id);
  await add(made, 'one', 'The gate has number one.', 'cmd:x', '--merge-key', 'gate');
  await add(made, 'old', 'The gate had number zero.', 'cmd:x');
  await add(
    made,
    'brief',
    'The gate has number nine.',
    'cmd:x',
    '--ttl-policy',
    'decay',
    '--expires-ts',
    '1000Z',
  );
  expect((await ids()).sort()).toEqual(['old', 'one']);
  await add(
    made,
    'two',
    'The gate has number two.',
    'cmd:x',
    '--merge-key',
    'gate',
    '--on-conflict',
    'supersede',
  );
  await made.ken(['k', 'deprecate', 'old']);
  expect(await ids()).toEqual(['two']);
});

it('makes no library and no ledger by looking for them', async () => {
  const made = box();
  expect(await made.ken(['search', '--in', 'refs,ledger', 'gate'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Nothing was found.\n',
  });
  expect(existsSync(path.join(made.home, 'data/references'))).toBe(false);
  expect(existsSync(path.join(made.root, '.ken/knowledge'))).toBe(false);
  expect(await made.ken(['search', '--in', 'refs', 'gate'])).toMatchObject({ code: 1, stdout: '' });
});

it('every citation in an answer opens, and prints exactly the cited lines', async () => {
  const made = box();
  const long = Array.from(
    { length: 90 },
    (_, at) => `The gate has rule ${at}, about ferry passengers.\n`,
  ).join('\n');
  await add(made, 'rules', long, 'cmd:x');
  writeAnswered(made, ['Who opens it?', 'The warden lets ferry passengers through the gate.']);
  const hits = await search(made, '--limit', '40', '--budget', '100000', 'gate ferry passengers');
  expect(new Set(hits.map(({ kind }) => kind))).toEqual(new Set(['subject', 'entry', 'turn']));
  expect(hits.filter(({ id }) => id === 'rules').length).toBeGreaterThan(1);
  for (const { kind, citation, text } of hits) {
    const { code, stdout, stderr } = await made.ken(['show', citation.uri]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    if (kind === 'turn') expect(stdout).toContain(text);
    else expect(stdout).toBe(`${text}\n`);
  }
});

it('notices that a subject has changed since it was cited', async () => {
  const made = box();
  const [hit] = await search(made, '--in', 'kb', 'ferry passengers');
  const uri = hit?.citation.uri ?? '';
  expect(uri).toBe('ken://kb/project/gate#L3');
  const file = path.join(made.root, 'kb/gate.md');
  writeFileSync(file, '# Gate\n\nThe gate lets ferry passengers in.\n\nAnd more.\n');
  expect(await made.ken(['show', uri])).toMatchObject({ code: 0 });
  writeFileSync(file, '# Gate\n\nThe gate keeps ferry passengers out.\n');
  expect(await made.ken(['show', uri])).toEqual({
    code: 6,
    stdout: 'The gate keeps ferry passengers out.\n',
    stderr: 'warning: the content has changed since this was cited: the lines say something else.\n',
  });
});

it('answers without a part that cannot be read, and says which; alone it is an error', async () => {
  const made = box();
  made.write('../home/data/references', 'no directory');
  made.write('.ken/knowledge/knowledge.db', 'x'.repeat(9000));
  const library = `${path.join(made.home, 'data/references')} cannot be read: it is not a directory.`;
  const ledger = `${path.join(made.root, '.ken/knowledge/knowledge.db')} is not a database.`;
  const looked = 'Check references.root, who owns it and whether you may read there.';
  const restore = 'Bring back a backup with "ken restore FILE --only ledger", or move the file away.';
  const { code, stdout, stderr } = await made.ken(['search', '--json', 'ferry passengers']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: [
      `warning: ledger could not be searched: ${ledger}\nhint: ${restore}\n`,
      `warning: refs could not be searched: ${library}\nhint: ${looked}\n`,
    ].join(''),
  });
  const { hits, unavailable } = JSON.parse(stdout) as Envelope;
  expect(hits[0]?.id).toBe('project/gate');
  expect(unavailable).toEqual([
    { in: 'ledger', message: ledger, hint: restore },
    { in: 'refs', message: library, hint: looked },
  ]);
  expect(await made.ken(['search', '--in', 'kb', 'ferry passengers'])).toMatchObject({ code: 0, stderr: '' });
  expect(await made.ken(['search', '--in', 'refs', 'ferry'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `ken: ${library}\nhint: ${looked}\n`,
  });
  expect(await made.ken(['search', '--in', 'ledger', 'ferry'])).toMatchObject({ code: 1, stdout: '' });
});

const OTHER = 'warning: the content has changed since this was cited: the lines say something else.\n';

it('notices by the digest of a hit that a subject has changed, whatever was indexed since', async () => {
  const made = box();
  const [hit] = await search(made, '--in', 'kb', 'ferry passengers');
  const { uri = '', sha256 = '' } = hit?.citation ?? {};
  const file = path.join(made.root, 'kb/gate.md');
  writeFileSync(file, '# Gate\n\nThe gate keeps ferry passengers out.\n');
  const [again] = await search(made, '--in', 'kb', 'ferry passengers');
  expect(again?.citation.uri).toBe(uri);
  const stdout = 'The gate keeps ferry passengers out.\n';
  const now = { code: 0, stdout, stderr: '' };
  const changed = { code: 6, stdout, stderr: OTHER };
  expect(await made.ken(['show', uri])).toEqual(now);
  expect(await made.ken(['show', uri, '--sha256', again?.citation.sha256 ?? ''])).toEqual(now);
  expect(await made.ken(['show', uri, '--sha256', sha256])).toEqual(changed);
  expect(await made.ken(['show', uri, '--sha256', sha256.slice(0, 12).toUpperCase()])).toEqual(changed);
  expect(await made.ken(['show', uri.replace('#', `?sha256=${sha256}#`)])).toEqual(changed);
  writeFileSync(file, '# Gate\n\nThe gate lets ferry passengers in.\n\nAnd more.\n');
  expect(await made.ken(['show', uri, '--sha256', sha256])).toMatchObject({ code: 0, stderr: '' });
  expect(await made.ken(['show', uri, '--sha256', 'abc'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ken: "abc" is not a SHA-256.\nhint: Give 64 hexadecimal digits, or the first twelve and more; "ken search --json" prints them.\n',
  });
});

it('every hit has the digest of what it cites, also of a line that is found in parts', async () => {
  const made = box();
  const words = Array.from({ length: 3000 }, (_, at) => `gate${at}`).join(' ');
  made.write('kb/wide.js', `// gate\nconst gate = "${words} ferrying";\nexport { gate };\n`);
  await add(made, 'port', 'The gate of the ferry is on 8080.', 'cmd:x');
  writeAnswered(made, ['Who opens it?', 'The warden lets ferry passengers through the gate.']);
  const hits = await search(made, '--limit', '40', 'gate ferry passengers ferrying');
  expect(new Set(hits.map(({ kind }) => kind))).toEqual(new Set(['subject', 'entry', 'turn']));
  expect(hits.map(({ citation }) => citation.uri)).toContain('ken://kb/project/wide#L2');
  for (const { citation } of hits) {
    const { uri, sha256 = '' } = citation;
    expect(await made.ken(['show', uri])).toMatchObject({ code: 0, stderr: '' });
    expect(await made.ken(['show', uri, '--sha256', sha256])).toMatchObject({ code: 0, stderr: '' });
    const other = sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    expect(await made.ken(['show', uri, '--sha256', other])).toMatchObject({ code: 6, stderr: OTHER });
  }
});

it('notices that an entry has changed since it was cited, and shows what was cited', async () => {
  const made = box();
  await add(made, 'port', 'The gate is on 8080.', 'cmd:x', '--merge-key', 'port');
  await add(made, 'other', 'The gate is on 8081.', 'cmd:x', '--merge-key', 'port');
  expect(await made.ken(['show', 'ken://entry/port@v2'])).toEqual({
    code: 0,
    stdout: 'The gate is on 8081.\n',
    stderr: '',
  });
  expect(await made.ken(['show', 'ken://entry/port@v1'])).toEqual({
    code: 6,
    stdout: 'The gate is on 8080.\n',
    stderr: 'warning: the content has changed since this was cited: version 2 says something else.\n',
  });
  await made.ken(['k', 'deprecate', 'port']);
  expect(await made.ken(['show', 'ken://entry/port@v2'])).toMatchObject({
    code: 6,
    stderr: 'warning: the content has changed since this was cited: it is deprecated now.\n',
  });
  expect(await made.ken(['show', 'ken://entry/port@v9'])).toMatchObject({ code: 3, stdout: '' });
  expect(await made.ken(['show', 'ken://entry/nobody'])).toMatchObject({ code: 3, stdout: '' });
});

it('finds a heading that nothing stands below, and prints it', async () => {
  const made = box();
  made.write('kb/numbers.md', '# Numbers\n\n## Ada 555-1234\n\n## Bob 555-9876\n');
  made.write('kb/tea.md', '# Tea\n');
  const [bob] = await search(made, 'number of Bob');
  expect(bob?.citation).toMatchObject({
    uri: 'ken://kb/project/numbers#L3-L5',
    lines: { first: 3, last: 5 },
  });
  expect((await made.ken(['show', bob?.citation.uri ?? ''])).stdout).toBe(
    '## Ada 555-1234\n\n## Bob 555-9876\n',
  );
  expect((await search(made, 'tea')).map(({ id }) => id)).toEqual(['project/tea']);
});

it('finds a turn by the headings in it, once', async () => {
  const made = box();
  const directory = `.ken/conversations/${conversationIdAt(Date.UTC(2026, 0, 1), 'abcd')}`;
  const at = '2026-01-01T00:00:00.000Z';
  const text = '# Zeppelin moorings\n\nRopes of hemp.\n\n## Masts\n\nThey are of steel.\n';
  const events = [
    { type: 'turn_start', at, turn: 1 },
    { type: 'assistant_message', at, text, model: 'x/y', finish: 'stop' },
  ];
  made.write(`${directory}/metadata.json`, `{"created_at":"${at}","title":"Airships"}`);
  made.write(`${directory}/base_config.json`, '{}');
  made.write(`${directory}/events.jsonl`, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const hits = await search(made, '--in', 'conversations', 'zeppelin moorings');
  expect(hits.map(({ title, citation }) => [title, citation.uri.replace(/^.*#/, '')])).toEqual([
    ['Airships', 'turn-1'],
  ]);
  expect(hits[0]?.snippet).toBe('Ropes of hemp.');
  const { code } = await made.ken([
    'show',
    hits[0]?.citation.uri ?? '',
    '--sha256',
    hits[0]?.citation.sha256 ?? '',
  ]);
  expect(code).toBe(0);
});

it('says that a path leads to nothing that is searched', async () => {
  const made = box();
  expect(await made.ken(['search', '--path', 'nowhere/', '--path', 'kb/gone.md', 'gate'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ken: Nothing is indexed at nowhere/ or kb/gone.md.\n' +
      'hint: Paths are those of the hits; a directory ends in "/".\n',
  });
  expect((await search(made, '--path', 'kb/gate.md', '--path', 'nowhere/', 'gate')).length).toBeGreaterThan(
    0,
  );
  expect(await made.ken(['search', '--path', 'kb/gate.md', 'zeppelin'])).toMatchObject({ code: 1 });
});
