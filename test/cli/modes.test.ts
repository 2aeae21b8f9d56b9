import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ALLOWING, KETTLE, served } from '../references/kettle.ts';

const OWN = ['cache', 'config', 'data', 'state'];
const WORK = [
  'ken config set --user assistant.name ada',
  'ken k add --id a --title A --text Words. --provenance cmd:x',
  'ken k promote a --evidence-ref cmd:x --reason r --as procedural/x',
  'ken search words',
  'ken q -n --local hello',
  'ken ref create --title Kettle --git "$URL" -q',
  'ken ref update kettle --body New',
  'ken backup',
  'ken k audit',
  'ken hook session-start < /dev/null',
];

/** Modes that let others read or change a file, seen from where nobody keeps them out. */
function openToOthers(home: string): string[] {
  return OWN.flatMap((name) => {
    const directory = path.join(home, name);
    return [directory, ...readdirSync(directory).map((each) => path.join(directory, each))];
  }).filter((file) => (statSync(file).mode & 0o077) !== 0);
}

it('keeps others out of everything that is the operator’s, whatever the umask', async () => {
  const place = await served(KETTLE, { settings: ALLOWING });
  const environment = { URL: place.url };
  const done = await place.shell(`umask 000\n${WORK.join('\n')}`, { environment });
  expect(done.stderr).not.toContain('bug in ken');
  const home = path.join(place.home, 'other');
  for (const name of OWN) mkdirSync(path.join(home, name), { recursive: true });
  // Directories that somebody else made keep nobody out.
  for (const name of OWN) chmodSync(path.join(home, name), 0o755);
  await place.shell(`umask 000\n${WORK.join('\n')}`, { environment: { ...environment, KEN_HOME: home } });
  expect(openToOthers(home)).toEqual(OWN.map((name) => path.join(home, name)));
});
