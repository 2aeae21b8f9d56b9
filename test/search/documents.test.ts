/** PDF and DOCX files as subjects and as reference files: found, cited by page or line, and opened there. */

import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { docx, pdf } from '../documents.ts';
import { referencePlace } from '../references/library.ts';

const MANUAL = pdf(
  [
    'This manual is for the people who keep the pumps.',
    'Maintenance\nThe pump runs at 7 bar; the relief valve opens at 9 bar.',
    'Storage\nDrain the housing before the first frost.',
  ],
  { title: 'Pump manual' },
);
const CONTRACT = docx(['# Terms', 'The lease of the hall ends in March.', 'The deposit is two rents.']);

function box() {
  const made = sandboxHere('[kb.topic.papers]\ntitle = "Papers"\nsubjects = "papers"\n');
  made.write('papers/manual.pdf', MANUAL);
  made.write('papers/contract.docx', CONTRACT);
  made.write('papers/notes.md', '# Notes\n\nThe gate is blue.\n');
  return made;
}

async function firstHit({ ken }: Pick<ReturnType<typeof box>, 'ken'>, ...words: string[]) {
  const { stdout } = await ken(['search', '--json', ...words]);
  const [hit] = JSON.parse(stdout).hits;
  return { uri: hit.citation.uri, path: hit.citation.path, title: hit.title, sha256: hit.citation.sha256 };
}

it('finds a page, and show opens it', async () => {
  const place = box();
  const hit = await firstHit(place, 'at which pressure does the relief valve open');
  expect(hit).toMatchObject({
    uri: 'ken://kb/papers/manual#page-2',
    path: 'papers/manual.pdf',
    title: 'Pump manual › Page 2',
  });
  const page = '## Page 2\n\nMaintenance\nThe pump runs at 7 bar; the relief valve opens at 9 bar.\n';
  for (const more of [[], ['--sha256', hit.sha256]])
    expect(await place.ken(['show', hit.uri, ...more])).toMatchObject({ code: 0, stdout: `${page}\n` });
  expect(await place.ken(['show', 'ken://kb/papers/manual#page-4'])).toMatchObject({
    code: 3,
    stderr: 'ken: There is nothing at ken://kb/papers/manual#page-4.\nhint: It has no such page.\n',
  });
  const json = JSON.parse((await place.ken(['show', 'ken://kb/papers/manual#page-2-3', '--json'])).stdout);
  expect(json.text).toContain('first frost');
});

it('finds the lines of a DOCX file, and show opens them', async () => {
  const place = box();
  const { uri } = await firstHit(place, 'when does the lease of the hall end');
  expect(uri).toBe('ken://kb/papers/contract#L3-L5');
  expect((await place.ken(['show', 'ken://kb/papers/contract#L3'])).stdout).toBe(
    'The lease of the hall ends in March.\n',
  );
});

it('answers offline with a page, and learns a document as its text', async () => {
  const place = box();
  const { stdout } = await place.ken(['q', '-n', 'At which pressure does the relief valve open?']);
  expect(stdout).toContain('> The pump runs at 7 bar; the relief valve opens at 9 bar.');
  expect(stdout).toContain('— ken://kb/papers/manual#page-2\n');
  expect((await place.ken(['learn', 'papers', 'contract'])).stdout).toBe(
    '# Terms\n\nThe lease of the hall ends in March.\n\nThe deposit is two rents.\n',
  );
  const { stdout: listed } = await place.ken(['kb', 'ls', '--json']);
  const [topic] = JSON.parse(listed).topics;
  const sizes = topic.subjects.map(({ slug, bytes }: { slug: string; bytes: number }) => [slug, bytes]);
  expect(sizes).toEqual([
    ['contract', 73],
    ['manual', 219],
    ['notes', 27],
  ]);
});

it('names a document that cannot be read, and reads the others', async () => {
  const place = box();
  place.write('papers/broken.pdf', Buffer.from('%PDF-1.7\nnothing more'));
  place.write('papers/broken.docx', Buffer.from('PK\x03\x04 nothing more'));
  const { code, stdout } = await place.ken(['kb', 'check']);
  expect(code).toBe(6);
  expect(stdout).toMatch(/broken\.pdf.*it is damaged/);
  expect(stdout).toMatch(/broken\.docx.*it is not a DOCX file/);
  expect(await firstHit(place, 'is the gate blue')).toMatchObject({ path: 'papers/notes.md' });
});

it('keeps documents of a reference topic, found and opened by page; unreadable ones are counted', async () => {
  const place = referencePlace({
    'docs/manual.pdf': MANUAL,
    'docs/contract.docx': CONTRACT,
    'docs/broken.pdf': Buffer.from('%PDF-1.7\nnothing more'),
  });
  const created = await place.ken(['ref', 'create', '--title', 'Pumps', '--git', place.url, '--json']);
  expect(JSON.parse(created.stdout)).toMatchObject({ file_count: 2, skipped: { unreadable: 1 } });
  const hit = await firstHit(place, '--in', 'refs', 'relief valve pressure');
  expect(hit.uri).toMatch(/^ken:\/\/ref\/topic-pumps@[0-9a-f]{40}\/docs\/manual\.pdf#page-2$/);
  const shown = await place.ken(['show', hit.uri, '--sha256', hit.sha256]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('opens at 9 bar') });
  const texts = path.join(place.home, 'cache/documents');
  expect(readdirSync(texts)).toHaveLength(3);
  // The index is enough for a search; without the kept texts they are read again.
  rmSync(texts, { recursive: true });
  expect((await place.ken(['show', hit.uri])).stdout).toContain('opens at 9 bar');
});
