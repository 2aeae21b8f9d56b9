import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

const root = path.join(import.meta.dirname, '../..');

export interface InstalledPackage {
  readonly packedBytes: number;
  /** Has `node_modules` with the package in it, and nothing else. */
  readonly project: string;
  /** Where npm put the package. */
  readonly directory: string;
  remove(): void;
}

/** Packs ken, and installs it into an empty project as its users do. */
export function installPackage(): InstalledPackage {
  const base = mkdtempSync(path.join(tmpdir(), 'ken-packed-'));
  const npm = (cwd: string, ...words: readonly string[]) =>
    execFileSync('npm', [...words, '--silent'], { cwd, stdio: 'pipe' });
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', base);
  const tarball = path.join(base, readdirSync(base).find((name) => name.endsWith('.tgz')) ?? 'none');
  const project = path.join(base, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{"type": "module"}');
  npm(project, 'install', '--offline', '--no-audit', '--no-fund', tarball);
  return {
    packedBytes: statSync(tarball).size,
    project,
    directory: path.join(project, 'node_modules', manifest.name),
    remove: () => rmSync(base, { recursive: true }),
  };
}
