import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { adding, type LedgerSandbox, ledgerSandbox } from '../ledger/ledger-sandbox.ts';

const DEPLOY = '# Deploy\n\nPush a tag.\n';
const CONFIG = '[kb.topic.docs]\nsubjects = "docs"\n';

/** A workspace with something in every part. */
async function filled(): Promise<LedgerSandbox> {
  const place = ledgerSandbox();
  place.write('.ken/config.toml', CONFIG);
  place.write('docs/deploy.md', DEPLOY);
  place.write('docs/.env', 'SECRET=1\n');
  place.write('.ken/kb/project/overview.md', '# Overview\n');
  await place.json(adding('ports', '--text', 'The API listens on 8080.'));
  await place.ken(['query', '--new', 'How do we deploy?']);
  await place.ken(['query', '--new', '--local', 'What is private?']);
  const topic = path.join(place.home, 'data/references/axum');
  mkdirSync(path.join(topic, 'files'), { recursive: true });
  writeFileSync(path.join(topic, 'topic.md'), '---\ntitle: axum\n---\n');
  writeFileSync(path.join(topic, 'lock.jsonl'), '');
  writeFileSync(path.join(topic, 'files/a.md'), '# A\n');
  return place;
}

const ARCHIVE = 'out.ken.tar.gz';

async function backedUp(...more: string[]) {
  const place = await filled();
  const made = await place.ken(['backup', ARCHIVE, ...more]);
  expect(made.code, made.stderr).toBe(0);
  return { place, made, file: path.join(place.root, ARCHIVE) };
}

/** The names in the archive, as any tar would list them; conversation ids are made equal. */
function namesIn(file: string): string[] {
  const tar = gunzipSync(readFileSync(file)).toString('latin1');
  const names = [...tar.matchAll(/\d+ path=([^\n]*)\n/g)].map(([, name = '']) => name);
  return names.map((name) => name.replace(/(conversations|local)\/[^/]+\//, '$1/ID/'));
}

describe('ken backup', () => {
  it('holds every part once, without secrets, locks and derived files', async () => {
    const { place, made, file } = await backedUp();
    expect(made.stdout).toBe(`${file}\n`);
    expect(made.stderr).toContain(
      'kb/docs/.env is left out: backups hold plain files without hidden names or large holes.',
    );
    expect(namesIn(file)).toEqual([
      'config/config.toml',
      ...['base_config', 'events', 'metadata'].map((name) => `conversations/ID/${name}.json`).map(jsonLines),
      'kb/.ken/kb/project/overview.md',
      'kb/docs/deploy.md',
      'ledger/knowledge.db',
      ...['base_config', 'events', 'metadata'].map((name) => `local/ID/${name}.json`).map(jsonLines),
      'references/axum/lock.jsonl',
      'references/axum/topic.md',
      'manifest.json',
    ]);
    expect(readdirSync(path.join(place.home, 'data')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('takes the fetched files of topics only when asked', async () => {
    const { file } = await backedUp('--with-files');
    expect(namesIn(file)).toContain('references/axum/files/a.md');
  });

  it('takes only what changed since a date', async () => {
    const place = await filled();
    const old = new Date('2020-01-01');
    utimesSync(path.join(place.root, 'docs/deploy.md'), old, old);
    expect(await place.ken(['backup', ARCHIVE, '--since', '2021-01-01'])).toMatchObject({ code: 0 });
    const names = namesIn(path.join(place.root, ARCHIVE));
    expect(names).not.toContain('kb/docs/deploy.md');
    expect(names).toContain('ledger/knowledge.db');
  });

  it('goes to the data directory without a name, and is listed', async () => {
    const place = await filled();
    const { path: file } = await place.json(['backup']);
    expect(path.dirname(file)).toMatch(/data\/workspaces\/work-[0-9a-f]+\/backups$/);
    expect((await place.json(['backup', '--list'])).backups).toEqual([
      { path: file, created_at: expect.any(String), occasion: 'backup' },
    ]);
  });

  it('says what is wrong: a taken name, a bad date, no workspace', async () => {
    const { place } = await backedUp();
    expect(await place.message(['backup', ARCHIVE], 5)).toContain('exists already');
    expect(await place.message(['backup', '--since', 'yesterday'], 2)).toBe('"yesterday" is not a date.');
    expect((await place.ken(['backup'], { directory: place.home })).code).toBe(3);
  });
});

function jsonLines(name: string): string {
  return name.replace('events.json', 'events.jsonl');
}

describe('ken restore', () => {
  it('brings everything back into an empty directory', async () => {
    const { place, file } = await backedUp('--with-files');
    const to = path.join(place.root, '../fresh');
    rmSync(path.join(place.home, 'data/references'), { recursive: true });
    const restored = await place.ken(['restore', file, '--to', to]);
    expect(restored.code, restored.stderr).toBe(0);
    for (const name of ['.ken/config.toml', 'docs/deploy.md', '.ken/kb/project/overview.md'])
      expect(readFileSync(path.join(to, name)), name).toEqual(readFileSync(path.join(place.root, name)));
    expect(existsSync(path.join(place.home, 'data/references/axum/files/a.md'))).toBe(true);
    const there = (words: string[]) => place.ken(words, { directory: to });
    expect((await there(['k', 'show', 'ports'])).stdout).toContain('The API listens on 8080.');
    const listed = await there(['c', 'ls', '--json']);
    expect(JSON.parse(listed.stdout).conversations).toHaveLength(2);
    expect((await there(['restore', file])).stderr).toContain('Everything in it is here already.');
    expect(existsSync(path.join(to, '.ken/repair'))).toBe(false);
  });

  it('shows what would change and changes nothing with --dry-run', async () => {
    const { place, file } = await backedUp();
    rmSync(path.join(place.root, 'docs/deploy.md'));
    const shown = await place.json(['restore', file, '--dry-run']);
    const changing = shown.items.filter(({ action }: { action: string }) => action !== 'same');
    expect(changing).toEqual([{ item: 'kb/docs/deploy.md', action: 'create', files: 1, restored: false }]);
    expect(existsSync(path.join(place.root, 'docs/deploy.md'))).toBe(false);
    const elsewhere = path.join(place.root, '../nowhere');
    expect(
      (await place.json(['restore', file, '--dry-run', '--to', elsewhere])).items.length,
    ).toBeGreaterThan(5);
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('keeps what is newer, replaces it with --newer --yes, and keeps what was there', async () => {
    const { place, file } = await backedUp();
    const deploy = path.join(place.root, 'docs/deploy.md');
    const later = new Date('2040-01-01');
    writeFileSync(deploy, 'changed later\n');
    utimesSync(deploy, later, later);
    expect((await place.ken(['restore', file])).stderr).not.toContain('restored');
    expect(readFileSync(deploy, 'utf8')).toBe('changed later\n');
    expect(await place.message(['restore', file, '--newer'], 2)).toContain('there is no terminal to ask at');
    const { kept_in } = await place.json(['restore', file, '--newer', '--yes']);
    expect(readFileSync(deploy, 'utf8')).toBe(DEPLOY);
    expect(readFileSync(path.join(kept_in[0], 'kb/docs/deploy.md'), 'utf8')).toBe('changed later\n');
    expect(readFileSync(path.join(place.root, '.ken/repair/.gitignore'), 'utf8')).toBe('*\n');
    expect((await place.json(['backup', '--list'])).backups[0].occasion).toBe('restore');
  });

  it('brings back the ledger alone, as it was', async () => {
    const { place, file } = await backedUp();
    await place.json(adding('later', '--text', 'Written after the backup.'));
    const plan = await place.json(['restore', file, '--only', 'ledger', '--dry-run']);
    expect(plan.items).toEqual([{ item: 'ledger', action: 'newer', files: 1, restored: false }]);
    await place.json(['restore', file, '--only', 'ledger', '--newer', '--yes']);
    expect(await place.message(['k', 'show', 'later'], 3)).toContain('later');
    expect(await place.json(['k', 'show', 'ports'])).toMatchObject({ entry: { id: 'ports' } });
    expect((await place.ken(['doctor'])).stdout).toMatch(/ok +Ledger: 1 active entry/);
    await place.json(adding('again'));
  });

  it('brings back a damaged ledger by the command that the error names', async () => {
    const place = ledgerSandbox();
    await place.json(adding('ports', '--text', 'The API listens on 8080.'));
    const { path: file } = await place.json(['backup']);
    const database = path.join(place.root, '.ken/knowledge/knowledge.db');
    writeFileSync(database, Buffer.alloc(readFileSync(database).length, 7));
    const { error } = await place.json(['k', 'show', 'ports'], 1);
    expect(error.hint).toBe(`Run "ken restore ${file} --only ledger".`);
    expect(await place.ken(['restore', file, '--only', 'ledger', '--yes'])).toMatchObject({ code: 0 });
    expect(await place.json(['k', 'show', 'ports'])).toMatchObject({ entry: { id: 'ports' } });
    expect(existsSync(`${database}.corrupt`)).toBe(true);
  });

  it('copies the ledger before an import', async () => {
    const place = ledgerSandbox();
    await place.json(adding('ports'));
    const exported = place.write('ledger.jsonl', (await place.ken(['k', 'export'])).stdout);
    expect((await place.ken(['k', 'import', exported])).code).toBe(0);
    const { backups } = await place.json(['backup', '--list']);
    expect(backups.map(({ occasion }: { occasion: string }) => occasion)).toEqual(['import']);
    expect(namesIn(backups[0].path)).toEqual(['ledger/knowledge.db', 'manifest.json']);
  });

  it('refuses an archive in which anything changed, before it writes', async () => {
    const { place, file } = await backedUp();
    rmSync(path.join(place.root, 'docs/deploy.md'));
    const tar = gunzipSync(readFileSync(file));
    tar.write('Pull', tar.lastIndexOf(DEPLOY) + DEPLOY.indexOf('Push'));
    writeFileSync(file, gzipSync(tar));
    expect(await place.message(['restore', file], 1)).toContain('"kb/docs/deploy.md" is missing or damaged.');
    writeFileSync(file, readFileSync(file).subarray(0, 500));
    expect(await place.message(['restore', file], 1)).toContain('This is not a whole backup');
    expect(existsSync(path.join(place.root, 'docs/deploy.md'))).toBe(false);
    expect(await place.message(['restore', 'missing'], 3)).toContain('There is no file');
  });

  it('does not write through a link', async () => {
    const { place, file } = await backedUp();
    const outside = path.join(place.root, '../outside');
    mkdirSync(outside);
    rmSync(path.join(place.root, 'docs'), { recursive: true });
    symlinkSync(outside, path.join(place.root, 'docs'));
    expect(await place.message(['restore', file], 1)).toContain(
      'is a symbolic link, which ken does not follow here',
    );
    expect(readdirSync(outside)).toEqual([]);
  });
});
