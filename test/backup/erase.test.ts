import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { adding, type LedgerSandbox, ledgerSandbox } from '../ledger/ledger-sandbox.ts';
import { referencePlace } from '../references/library.ts';

const SECRET = 'The blue kettle of Ferrol boils at seven.';
const OTHER = 'The red kettle of Vigo boils at nine.';

/** Every plain file below a directory. Pages of a database, gzip, zstd and tar are read as what is in them. */
function filesWith(text: string, ...directories: readonly string[]): string[] {
  return directories.flatMap((directory) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => path.join(each.parentPath, each.name))
      .filter((file) => unpacked(readFileSync(file)).some((bytes) => bytes.includes(text))),
  );
}

function unpacked(bytes: Buffer): Buffer[] {
  if (bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return [bytes, ...unpacked(gunzipSync(bytes))];
  if (bytes.subarray(0, 4).equals(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])))
    return [bytes, ...unpacked(zstdDecompressSync(bytes))];
  return [bytes];
}

const everywhere = (place: LedgerSandbox, text = SECRET) => filesWith(text, place.root, place.home);

/** In the ledger with a rule, in lines, approvals, indexes, backups, and in what a repair has set aside. */
async function filled(): Promise<LedgerSandbox> {
  const place = ledgerSandbox();
  place.approveAll();
  await place.json(adding('kettle', '--title', 'Kettle', '--text', SECRET, '--merge-key', 'k'));
  await place.json(adding('other', '--text', OTHER));
  const promoted = [
    'k',
    'promote',
    'kettle',
    '--evidence-ref',
    'cmd:x',
    '--reason',
    'r',
    '--as',
    'procedural/kettle',
  ];
  expect(await place.ken(promoted)).toMatchObject({ code: 0 });
  await place.json(adding('second', '--merge-key', 'k', '--text', 'Another text for it.'));
  expect((await place.ken(['search', 'kettle'])).code).toBe(0);
  await place.json(['k', 'retrieval-log', '--query', SECRET, '--returned-id', 'kettle']).catch(() => {});
  expect((await place.ken(['backup', path.join(place.home, 'own.ken.tar.gz')])).code).toBe(0);
  const repair = path.join(place.root, '.ken/repair/2026-01-01/ledger');
  mkdirSync(repair, { recursive: true });
  cpSync(path.join(place.root, '.ken/knowledge'), repair, { recursive: true });
  place.write('.ken/repair/2026-01-02/conversations/x.jsonl', `{"text":"${SECRET}"}\n`);
  return place;
}

it('erases an entry from every file, and keeps everything else', async () => {
  const place = await filled();
  const before = everywhere(place);
  expect(before.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining([
      'knowledge.db',
      'knowledge.promotions.jsonl',
      'approvals.db',
      'own.ken.tar.gz',
      'x.jsonl',
    ]),
  );
  const preview = await place.json(['k', 'erase', 'kettle', '--dry-run']);
  expect(preview).toMatchObject({ kind: 'entry', id: 'kettle', unreachable: [], commits: [] });
  expect(everywhere(place)).toEqual(before);
  expect(await place.message(['k', 'erase', 'kettle', '--yes'], 4)).toContain(
    'Erasing entry kettle needs you',
  );

  const { code, text } = await atTerminal(place, ['k', 'erase', 'kettle', '--yes'], [], { columns: 200 });
  expect({ code, text }).toMatchObject({
    code: 0,
    text: expect.stringContaining('entry kettle is erased from'),
  });
  expect(everywhere(place)).toEqual([]);
  for (const id of ['kettle', 'procedural/kettle'])
    expect(await place.message(['k', 'show', id], 3)).toContain(id);
  expect((await place.json(['k', 'show', 'other'])).entry.content).toBe(OTHER);
  expect((await place.ken(['search', 'red kettle'])).stdout).toContain('Vigo');
  expect((await place.ken(['doctor'])).stdout).toContain('ok       Ledger: 1 active entry');
  expect(await place.json(['restore', path.join(place.home, 'own.ken.tar.gz'), '--dry-run'])).toBeDefined();
});

it('names a backup that is out of reach, and a restore of it brings nothing back', async () => {
  const place = await filled();
  const [own, away] = ['own.ken.tar.gz', 'away.ken.tar.gz'].map((name) => path.join(place.home, name)) as [
    string,
    string,
  ];
  renameSync(own, away);
  const { text } = await atTerminal(place, ['k', 'erase', 'kettle', '--yes'], [], { columns: 200 });
  expect(text).toContain(`not where ken wrote them`);
  expect(text).toContain(own);
  expect(everywhere(place)).toEqual([away]);
  const restored = await place.ken(['restore', away, '--only', 'ledger', '--newer', '--yes']);
  expect(restored).toMatchObject({ code: 0 });
  expect(await place.message(['k', 'show', 'kettle'], 3)).toContain('kettle');
  expect((await place.json(['k', 'show', 'other'])).entry.content).toBe(OTHER);
  expect(filesWith(SECRET, path.join(place.root, '.ken/knowledge'))).toEqual([]);
});

it('erases a conversation, and names commits that hold the text', async () => {
  const place = ledgerSandbox();
  const git = (...words: string[]) => execFileSync('git', words, { cwd: place.root, stdio: 'pipe' });
  expect(await place.ken(['q', '-n', SECRET, '--json'])).toMatchObject({ code: 0 });
  const [{ id }] = (await place.json(['c', 'ls'])).conversations;
  git('init', '-q');
  git('add', '-f', '.ken');
  git('-c', 'user.name=ada', '-c', 'user.email=a@b', 'commit', '-qm', 'all of it');
  expect((await place.ken(['backup'])).code).toBe(0);
  const { code, text } = await atTerminal(place, ['c', 'erase', id, '--yes'], [], { columns: 200 });
  expect(code).toBe(0);
  expect(text).toMatch(/These commits of git hold the text.*\n +[0-9a-f]{7,} all of it/);
  expect(everywhere(place).filter((file) => !file.includes('/.git/'))).toEqual([]);
  expect((await place.json(['c', 'ls'])).conversations).toEqual([]);
});

it('erases a topic with its files, its index and the approval that shows it', async () => {
  const place = referencePlace({ 'docs/a.md': `# Kettle\n\n${SECRET}\n` });
  expect((await place.ken(['init'])).code).toBe(0);
  const created = await place.ken(['ref', 'create', '--title', 'Kettle', '--git', place.url]);
  expect(created).toMatchObject({ code: 0 });
  expect((await place.ken(['ref', 'search', 'kettle'])).stdout).toContain('Ferrol');
  expect((await place.ken(['backup', '--with-files'])).code).toBe(0);
  const isKens = (file: string) => !file.startsWith(place.repository);
  expect(filesWith(SECRET, place.root, place.home).filter(isKens).length).toBeGreaterThan(2);
  expect(await atTerminal(place, ['ref', 'erase', 'kettle', '--yes'], [])).toMatchObject({ code: 0 });
  expect(filesWith(SECRET, place.root, place.home).filter(isKens)).toEqual([]);
  expect((await place.ken(['ref', 'ls', '--json'])).stdout).not.toContain('Kettle');
});
