import { expect, it } from 'vitest';
import { type ReferencePlace, referencePlace } from '../references/library.ts';
import { serve } from '../web/servers.ts';

const LINES = ['# Ports', '', 'The API listens on 8080.', 'Metrics are on 9090.', '', 'Ask Ada.'];
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

async function add({ ken }: ReferencePlace, id: string, provenance: string): Promise<void> {
  const words = ['k', 'add', '--id', id, '--title', id, '--text', 'x', '--provenance', provenance];
  expect(await ken(words)).toMatchObject({ code: 0 });
}

async function verify({ ken }: ReferencePlace, ...words: string[]) {
  const { code, stdout } = await ken(['k', 'verify', ...words, '--json']);
  const citations: { verdict: string; moved_to: string | null; reason: string | null }[] =
    JSON.parse(stdout).citations;
  return {
    code,
    found: citations.map(({ verdict, moved_to, reason }) =>
      [verdict, moved_to ?? reason ?? ''].join(' ').trim(),
    ),
  };
}

/** A library in a workspace. */
function workspace(files: Readonly<Record<string, string>>): ReferencePlace {
  const place = referencePlace(files, 'net.allow = ["127.0.0.1"]\n');
  place.write('.ken/config.toml', '');
  return place;
}

it('url: a page that was fetched is compared with the library’s copy, which a refresh brings up to date', async () => {
  let body = '<main><h1>Ports</h1><p>The API listens on 8080.</p></main>';
  const web = await serve((request, response) =>
    request.url === '/ports'
      ? response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      : response.writeHead(404).end(),
  );
  const place = workspace({ 'README.md': 'Read me.\n' });
  const url = `http://127.0.0.1:${web.port}/ports`;
  await add(place, 'early', `url:${url}`);
  expect(await verify(place)).toEqual({
    code: 6,
    found: ['unchecked the reference library has no copy of it'],
  });
  expect(await place.ken(['ref', 'create', '--title', 'Ports', '--web', url])).toMatchObject({ code: 0 });
  await add(place, 'ports', `url:${url}`);
  const requests = web.requests.length;
  expect(await verify(place, 'ports')).toEqual({ code: 0, found: ['ok'] });
  expect(await verify(place, 'early')).toEqual({
    code: 6,
    found: ['unchecked there was no copy of it when it was cited'],
  });
  body = body.replace('8080', '8081');
  expect(await verify(place, 'ports')).toEqual({ code: 0, found: ['ok'] });
  // Nothing is fetched to find out.
  expect(web.requests.length).toBe(requests);
  expect(await place.ken(['ref', 'refresh', 'ports'])).toMatchObject({ code: 0 });
  expect(await verify(place, 'ports')).toEqual({ code: 6, found: ['changed'] });
  body = body.replace('8081', '8080');
  await place.ken(['ref', 'refresh', 'ports']);
  expect(await verify(place, 'ports')).toEqual({ code: 0, found: ['ok'] });
  await place.ken(['ref', 'delete', 'ports', '--yes']);
  expect(await verify(place, 'ports')).toEqual({
    code: 6,
    found: ['unchecked the reference library has no copy of it'],
  });
});

it('ref: lines of a repository are ok, moved, moved with their file, ambiguous, changed or missing, and --fix follows', async () => {
  const place = workspace({ 'docs/ports.md': text(LINES), 'README.md': 'Read me.\n' });
  const { commit, ken } = place;
  await ken(['ref', 'create', '--title', 'Manual', '--git', place.url]);
  const { hits } = JSON.parse((await ken(['ref', 'search', 'metrics', '--json'])).stdout);
  const cited: string = hits[0].citation.uri;
  expect(cited).toMatch(/^ken:\/\/ref\/topic-manual@[0-9a-f]{40}\/docs\/ports\.md#L1-L6$/);
  const [file = ''] = cited.split('#');
  await add(place, 'lines', `ref:${file}#L3-L4`);
  await add(place, 'whole', `ref:${file}`);
  const after = async (files: Readonly<Record<string, string | undefined>>) => {
    const head = commit(files);
    expect(await ken(['ref', 'refresh', 'manual'])).toMatchObject({ code: 0 });
    return (path: string) => `moved ref:ken://ref/topic-manual@${head}/${path}`;
  };
  expect(await verify(place, 'lines', 'whole')).toEqual({ code: 0, found: ['ok', 'ok'] });
  await after({ 'README.md': 'Read me twice.\n' });
  expect(await verify(place, 'lines', 'whole')).toEqual({ code: 0, found: ['ok', 'ok'] });

  let moved = await after({ 'docs/ports.md': text(['New.', ...LINES]) });
  expect(await verify(place, 'lines', 'whole')).toEqual({
    code: 6,
    found: [moved('docs/ports.md#L4-L5'), 'changed'],
  });
  expect(await verify(place, 'lines', '--fix')).toMatchObject({ code: 0 });
  expect(await verify(place, 'lines')).toEqual({ code: 0, found: ['ok'] });
  expect((await ken(['k', 'show', 'ken://entry/lines@v1'])).stdout).toContain(`ref:${file}#L3-L4`);

  moved = await after({ 'docs/ports.md': undefined, 'docs/net.md': text(LINES) });
  expect(await verify(place, 'lines', 'whole')).toEqual({
    code: 6,
    found: [moved('docs/net.md#L3-L4'), moved('docs/net.md')],
  });
  await after({ 'docs/again.md': text(LINES) });
  const several = 'changed the same lines stand in several places';
  expect(await verify(place, 'lines', 'whole')).toEqual({ code: 6, found: [several, several] });
  await after({ 'docs/net.md': 'Other words.\n', 'docs/again.md': undefined });
  expect(await verify(place, 'lines', 'whole')).toEqual({ code: 6, found: ['missing', 'missing'] });
});
