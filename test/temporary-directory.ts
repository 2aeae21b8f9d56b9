import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory of its own, gone after the test. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'ken-test-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
