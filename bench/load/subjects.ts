import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identifier, numbers, words } from '../synthetic-chunks.ts';
import type { LoadArea } from './area.ts';

const SUBJECTS_A_DIRECTORY = 100;
const PER_SUBJECT = { bytesEach: 200 } as const;

export const subjects: LoadArea = {
  name: 'subjects',
  unit: 'subjects',
  sizes: [10_000, 100_000],
  fill({ directory }, size) {
    const random = numbers(3);
    const home = path.join(directory, '.ken');
    for (let at = 0; at < size; at += SUBJECTS_A_DIRECTORY) {
      const area = path.join(home, 'kb/big', `area-${at / SUBJECTS_A_DIRECTORY}`);
      mkdirSync(area, { recursive: true });
      for (let number = at; number < Math.min(size, at + SUBJECTS_A_DIRECTORY); number++)
        writeFileSync(path.join(area, `subject-${number}.md`), subjectText(number, random));
    }
    writeFileSync(path.join(home, 'config.toml'), '[kb.topic.big]\nsubjects = ".ken/kb/big"\n');
  },
  steps: [
    { name: 'kb check', words: ['kb', 'check'], codes: [0, 6], memory: PER_SUBJECT },
    { name: 'doctor', words: ['doctor'], codes: [0, 6], memory: PER_SUBJECT },
    { name: 'learn, list', words: ['learn', 'big'] },
    { name: 'learn, one', words: ['learn', 'big', 'area-3/subject-307'] },
    { name: 'learn, glob', words: ['learn', 'big', 'area-3/*'] },
    { name: 'search, first', words: ['search', 'kettle'], codes: [0, 1] },
    { name: 'search, again', words: ['search', 'kettle'], codes: [0, 1] },
    { name: 'doctor, after a search', words: ['doctor'], codes: [0, 6], memory: PER_SUBJECT },
    { name: 'backup', words: ['backup', 'all.ken.tar.gz'] },
  ],
};

/** With a mention of another subject, as `kb check` follows them. */
function subjectText(at: number, random: () => number): string {
  const mentioned = `area-${Math.floor(at / SUBJECTS_A_DIRECTORY)}/subject-${at}`;
  return `# ${identifier(random)}\n\nSee \`${mentioned}\`.\n\n${words(random, 40)}\n`;
}
