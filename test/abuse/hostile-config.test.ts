/** Configurations that a repository can bring to hold ken up. */

import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const level = (next: number) => `extends = [${Array.from({ length: 9 }, () => `"${next}.toml"`)}]\n`;

interface Hostile {
  readonly config: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
  readonly code: number;
  readonly told?: RegExp;
}

const HOSTILE: Readonly<Record<string, Hostile>> = {
  'sixteen braces': {
    config: `extends = ["${'{a,b}'.repeat(16)}"]`,
    code: 1,
    told: /too many alternatives in braces/,
  },
  'a pattern over the whole disk': {
    config: 'extends = ["/**/*.toml"]',
    code: 4,
    told: /extends \/, which is outside the workspace/,
  },
  'a pattern that climbs': {
    config: 'extends = ["../../../../../../../**/*.toml"]',
    code: 4,
    told: /which is outside the workspace/,
  },
  'files that extend the next one nine times': {
    config: level(0),
    files: Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`.ken/${at}.toml`, at === 11 ? '' : level(at + 1)]),
    ),
    code: 1,
    told: /and what it extends name more than 1000 files/,
  },
  'hundreds of thousands of unknown keys': {
    config: lines(150_000, (at) => `k${at} = 1`),
    code: 1,
    told: /"k0" is not a known key/,
  },
  'attachments over the whole disk': {
    config: 'conversation.attachments = ["/**/*"]',
    words: ['q', '-n', 'What?'],
    code: 0,
  },
  'a key longer than a call has arguments': {
    config: `"${'k'.repeat(2_000_000)}" = 1`,
    code: 1,
    told: /is not a known key/,
  },
  'many instructions': { config: `assistant.instructions = [${lines(50_000, () => '"x",')}]`, code: 0 },
  'many topics': {
    config: lines(5000, (at) => `[kb.topic.t${at}]\nsubjects = "a"`),
    words: ['q', '-n', 'What?'],
    code: 0,
  },
};

it.each(Object.entries(HOSTILE))('%s: an answer or a sentence, soon', async (_, hostile) => {
  const place = sandboxHere(hostile.config);
  for (const [file, content] of Object.entries(hostile.files ?? {})) place.write(file, content);
  const before = process.threadCpuUsage();
  const { code, stderr } = await place.ken(hostile.words ?? ['status']);
  const { user } = process.threadCpuUsage(before);
  expect({ code, stderr }).toMatchObject({
    code: hostile.code,
    stderr: expect.stringMatching(hostile.told ?? /^/),
  });
  expect(user / 1e6).toBeLessThan(10);
});
