/** PDF, DOCX and EPUB files and notebooks as subjects and as reference files: found, cited by page, section, cell or line, and opened there. */

import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { docx, epub, notebook, pdf } from '../documents.ts';
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

const BOOK = epub(
  [
    '<html><body><h1>Before the storm</h1><p>Close the hatches and reef early.</p></body></html>',
    '<html><body><h1>At anchor</h1><p>The chain is marked every ten fathoms with red paint.</p></body></html>',
  ],
  { title: 'Seamanship' },
);
const NOTEBOOK = notebook([
  { cell_type: 'markdown', source: '# Tide tables\n\nComputed from harmonic constants.' },
  {
    cell_type: 'code',
    source: 'amplitude = fit_lunar_semidiurnal(gauge)',
    outputs: [{ output_type: 'stream', text: 'amplitude 1.87 metres' }],
  },
]);

it('finds a section of a book and a cell of a notebook, and show opens them', async () => {
  const place = box();
  place.write('papers/seamanship.epub', BOOK);
  place.write('papers/tides.ipynb', NOTEBOOK);
  const section = await firstHit(place, 'how is the anchor chain marked');
  expect(section).toMatchObject({
    uri: 'ken://kb/papers/seamanship#section-2',
    path: 'papers/seamanship.epub',
  });
  const cell = await firstHit(place, 'amplitude of the lunar semidiurnal fit');
  expect(cell).toMatchObject({ uri: 'ken://kb/papers/tides#cell-2', path: 'papers/tides.ipynb' });
  expect((await place.ken(['show', section.uri, '--sha256', section.sha256])).stdout).toBe(
    '## Section 2\n\n### At anchor\n\nThe chain is marked every ten fathoms with red paint.\n',
  );
  const shown = await place.ken(['show', cell.uri, '--sha256', cell.sha256]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('amplitude 1.87 metres') });
  expect(await place.ken(['show', 'ken://kb/papers/tides#cell-3'])).toMatchObject({
    code: 3,
    stderr: 'ken: There is nothing at ken://kb/papers/tides#cell-3.\nhint: It has no such cell.\n',
  });
  // A notebook has no pages.
  expect(await place.ken(['show', 'ken://kb/papers/tides#page-1'])).toMatchObject({ code: 3 });
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
  place.write('papers/broken.epub', docx(['# Terms']));
  place.write('papers/broken.ipynb', '{"cells": ['.repeat(1000));
  const { code, stdout } = await place.ken(['kb', 'check']);
  expect(code).toBe(6);
  expect(stdout).toMatch(/broken\.pdf.*it is damaged/);
  expect(stdout).toMatch(/broken\.docx.*it is damaged/);
  expect(stdout).toMatch(/broken\.epub.*it is not an EPUB file/);
  expect(stdout).toMatch(/broken\.ipynb.*it is not a notebook/);
  expect(await firstHit(place, 'is the gate blue')).toMatchObject({ path: 'papers/notes.md' });
});

it('keeps documents of a reference topic, found and opened by page; unreadable ones are counted', async () => {
  const place = referencePlace({
    'docs/manual.pdf': MANUAL,
    'docs/contract.docx': CONTRACT,
    'docs/seamanship.epub': BOOK,
    'docs/tides.ipynb': NOTEBOOK,
    'docs/broken.pdf': Buffer.from('%PDF-1.7\nnothing more'),
  });
  const created = await place.ken(['ref', 'create', '--title', 'Pumps', '--git', place.url, '--json']);
  expect(JSON.parse(created.stdout)).toMatchObject({ file_count: 4, skipped: { unreadable: 1 } });
  const hit = await firstHit(place, '--in', 'refs', 'relief valve pressure');
  expect(hit.uri).toMatch(/^ken:\/\/ref\/topic-pumps@[0-9a-f]{40}\/docs\/manual\.pdf#page-2$/);
  const shown = await place.ken(['show', hit.uri, '--sha256', hit.sha256]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('opens at 9 bar') });
  const texts = path.join(place.home, 'cache/documents');
  expect(readdirSync(texts)).toHaveLength(5);
  const section = await firstHit(place, '--in', 'refs', 'anchor chain marked in fathoms');
  expect(section.uri).toMatch(/\/docs\/seamanship\.epub#section-2$/);
  const cell = await firstHit(place, '--in', 'refs', 'lunar semidiurnal amplitude');
  expect(cell.uri).toMatch(/\/docs\/tides\.ipynb#cell-2$/);
  expect((await place.ken(['show', cell.uri])).stdout).toContain('fit_lunar_semidiurnal(gauge)');
  // The index is enough for a search; without the kept texts they are read again.
  rmSync(texts, { recursive: true });
  expect((await place.ken(['show', hit.uri])).stdout).toContain('opens at 9 bar');
});
