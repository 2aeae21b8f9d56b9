import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Row } from '../row.ts';

const SUBJECTS = 10_000;
const SUBJECTS_PER_DIRECTORY = 100;

/** Walks and reads with what Node has, as a script without any product around it would. */
const WALK_AND_READ = `
const { readdirSync, readFileSync } = require('node:fs');
let bytes = 0;
for (const entry of readdirSync('.ken/kb/big', { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) bytes += readFileSync(entry.parentPath + '/' + entry.name, 'utf8').length;
}
if (bytes < 1e6) throw new Error('too little was read');
`;

export const rows: readonly Row[] = [
  {
    name: 'learn',
    subject: 'ken learn TOPIC SLUG',
    floor: 'node -e 0',
    bar: 1.8,
    prepare({ directory, ken, node }) {
      writeTopic(directory, 'team', 40);
      return { subject: ken(['learn', 'team', 'area-0/subject-3']), floor: node(['-e', '0']) };
    },
  },
  {
    name: 'kb-10000',
    subject: 'ken kb prompt with 10,000 subjects: list, resolve **, build the section',
    floor: 'node walking and reading the same files',
    bar: 2,
    prepare({ directory, ken, node }) {
      writeTopic(directory, 'big', SUBJECTS);
      return { subject: ken(['kb', 'prompt', '-q', '-k', 'big']), floor: node(['-e', WALK_AND_READ]) };
    },
  },
  {
    name: 'kb-10000-one',
    subject: 'ken learn TOPIC SLUG among 10,000 subjects',
    floor: 'node walking and reading the same files',
    prepare({ directory, ken, node }) {
      writeTopic(directory, 'big', SUBJECTS);
      return { subject: ken(['learn', 'big', 'area-3/subject-3']), floor: node(['-e', WALK_AND_READ]) };
    },
  },
];

/** Subjects of about a kilobyte, one in ten hidden, one in twenty TOML. */
function writeTopic(directory: string, topic: string, count: number): void {
  const root = path.join(directory, '.ken/kb', topic);
  const directories = Math.ceil(count / SUBJECTS_PER_DIRECTORY);
  for (let at = 0; at < directories; at++) mkdirSync(path.join(root, `area-${at}`), { recursive: true });
  for (let at = 0; at < count; at++) {
    const dot = at % 10 === 9 ? '.' : '';
    const extension = at % 20 === 8 ? 'toml' : 'md';
    const name = `area-${at % directories}/${dot}subject-${at}.${extension}`;
    writeFileSync(
      path.join(root, name),
      `# Subject ${at}\n\n${'A line about what the team knows.\n'.repeat(30)}`,
    );
  }
  writeFileSync(
    path.join(directory, '.ken/config.toml'),
    `[kb.topic.${topic}]\nsubjects = ".ken/kb/${topic}"\n`,
  );
}
