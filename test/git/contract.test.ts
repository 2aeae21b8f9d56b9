import { readdirSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import {
  itReadsRepositories,
  type RepositoryFixture,
} from '../../src/domain/references/sources/git-reader.contract.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { serveGit } from './git-server.ts';
import { type ReaderSetting, realReader } from './reader.ts';
import { buildRepository } from './repositories.ts';

const limits = { maxFiles: 20, maxBytes: 100_000 };

function build(fixture: RepositoryFixture, setting: ReaderSetting = {}) {
  const parent = temporaryDirectory();
  const built = buildRepository(parent, fixture);
  // The limit on bytes is on what is received as well, and trees have a size too.
  const real = realReader(parent, { limits, ...setting });
  onTestFinished(() => expect(readdirSync(real.place)).toEqual([]));
  return { parent, ...real, ...built };
}

itReadsRepositories('file:', async (fixture) => {
  const { reader, directory, commits } = build(fixture);
  return { reader, source: { url: `file://${directory}`, isTyped: true }, commits };
});

itReadsRepositories('http:', async (fixture) => {
  const { reader, parent, commits } = build(fixture, { allow: ['127.0.0.1'] });
  const { origin } = await serveGit(parent);
  return { reader, source: { url: `${origin}/tea.git` }, commits };
});
