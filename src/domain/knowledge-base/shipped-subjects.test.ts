import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { shippedSubjects } from './shipped-subjects.ts';

const skill = path.join(import.meta.dirname, '../../../skills/reference-researcher/SKILL.md');

it('has the files that ship with ken, whole or their beginning', () => {
  const files = shippedSubjects('.');
  expect(files.list()).toEqual({ files: ['reference-researcher/SKILL.md'], skipped: [] });
  const { size } = files.read('reference-researcher/SKILL.md', 0) as { size: number };
  const read = files.read('reference-researcher/SKILL.md', 10);
  expect({ ...read, bytes: read.ok && Buffer.from(read.bytes).toString() }).toEqual({
    ok: true,
    size,
    bytes: readFileSync(skill, 'utf8').slice(0, 10),
  });
});

it.each(['', '../package.json', 'reference-researcher/../../package.json', '/etc/passwd', 'no.md'])(
  'has no file %j',
  (name) => {
    expect(shippedSubjects('.').read(name, 10)).toEqual({ ok: false });
  },
);
