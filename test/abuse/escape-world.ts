/** A workspace with a secret beside it, and a way to see what was changed. */

import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '../temporary-directory.ts';

export const SECRET = 'TOP-SECRET';

export interface EscapeWorld {
  readonly base: string;
  readonly outside: string;
  readonly workspace: string;
}

/** Makes the world anew in this directory, which a process for guests may know from the world before. */
export function escapeWorld(base = temporaryDirectory()): EscapeWorld {
  rmSync(base, { recursive: true, force: true });
  const files: Record<string, string> = {
    'outside/secret.txt': SECRET,
    'outside/outside-marker/inner.txt': SECRET,
    'workspace-sibling/secret.txt': SECRET,
    'workspace/a.txt': 'inside, and longer than the secret',
    'workspace/dir/b.txt': 'inside the directory',
    'workspace/dir/deep/c.txt': 'deep inside',
    'workspace/.git/config': '[core]',
    'workspace/.git/hooks/post-commit': '#!/bin/sh',
    'workspace/.ken/config.toml': '# settings',
    'workspace/module/.git': 'gitdir: ../.git/modules/module',
  };
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(base, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, 1_600_000_000, 1_600_000_000);
  }
  return { base, outside: path.join(base, 'outside'), workspace: path.join(base, 'workspace') };
}

/** Everything that a change below `directory` would change. */
export function snapshot(directory: string): string {
  return lines(directory, '').join('\n');
}

function lines(directory: string, relative: string): string[] {
  return readdirSync(path.join(directory, relative))
    .sort()
    .flatMap((entry) => {
      const name = path.join(relative, entry);
      const file = path.join(directory, name);
      const stats = lstatSync(file);
      const facts = `${name} ${stats.mode} ${stats.nlink} ${stats.mtimeMs}`;
      if (stats.isSymbolicLink()) return [`${facts} -> ${readlinkSync(file)}`];
      if (stats.isDirectory()) return [facts, ...lines(directory, name)];
      return [stats.isFile() && stats.size < 1000 ? `${facts} ${readFileSync(file, 'utf8')}` : facts];
    });
}

/** Snapshot of everything that only the owner of a workspace may change. */
export function protectedSnapshot({ workspace }: EscapeWorld): string {
  return snapshot(workspace)
    .split('\n')
    .filter((line) => /(?:^|\/)\.(?:git|ken)\b/i.test(line))
    .join('\n');
}
