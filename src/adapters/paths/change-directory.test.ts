import { chownSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { abandonedIn, removeAbandoned } from './change-directory.ts';
import { inDirectory } from './open-path.ts';

const NOBODY = 65_534;

it.skipIf(process.getuid?.() !== 0)(
  'removes what processes of this account left, and nothing of others',
  () => {
    const directory = temporaryDirectory();
    const [own, others] = ['.read-0123456789ab', '.read-ba9876543210'];
    for (const name of [own, others]) {
      const at = path.join(directory, name);
      mkdirSync(at);
      utimesSync(at, 0, 0);
      if (name === others) chownSync(at, NOBODY, NOBODY);
    }
    expect(inDirectory(directory, abandonedIn)).toEqual([own]);
    inDirectory(directory, removeAbandoned);
    expect(readdirSync(directory)).toEqual([others]);
  },
);
