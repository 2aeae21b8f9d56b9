import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { git } from '../git/repositories.ts';

export interface ReferencePlace extends Sandbox {
  /** The directory of the repository `repo`, served under this address. */
  readonly repository: string;
  readonly url: string;
  /** Writes files into the repository and commits; `undefined` removes one. Answers the commit. */
  commit(files: Readonly<Record<string, string | Uint8Array | undefined>>): string;
  /** The file below the library. */
  kept(relative: string): string;
}

/** The operator's own config file approves every request. */
export function referencePlace(
  files: Readonly<Record<string, string | Uint8Array>>,
  config = '',
): ReferencePlace {
  const place = sandboxHere();
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  writeOwnConfig(place.home, `approvals.noninteractive = "allow"\n${config}`);
  const repository = path.join(place.root, 'repo');
  mkdirSync(repository);
  execFileSync('git', ['init', '-q', '-b', 'main', repository]);
  const commit: ReferencePlace['commit'] = (changes) => {
    for (const [name, content] of Object.entries(changes)) {
      const file = path.join(repository, name);
      if (content === undefined) rmSync(file);
      else {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    }
    git(repository, ['add', '-A']);
    git(repository, ['commit', '-qm', 'change']);
    return git(repository, ['rev-parse', 'HEAD']).trim();
  };
  commit(files);
  return {
    ...place,
    repository,
    url: `file://${repository}`,
    commit,
    kept: (relative) => readFileSync(path.join(place.home, 'data/references', relative), 'utf8'),
  };
}
