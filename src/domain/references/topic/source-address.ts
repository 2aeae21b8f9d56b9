/** Where a fetched file can be looked at, at its source. */

import type { LineRange } from '../../../base/text.ts';
import { sourceDirectories } from './layout.ts';
import type { LockedFile } from './lock.ts';
import { addressOf, type ReferenceTopic } from './topic.ts';

/** Undefined for a source that no browser can open. */
export function sourceAddress(
  topic: Pick<ReferenceTopic, 'sources'>,
  file: Pick<LockedFile, 'path' | 'source' | 'commit' | 'url'>,
  lines: LineRange | undefined,
): string | undefined {
  if (file.url !== undefined) return file.url;
  const at = topic.sources.findIndex((source) => addressOf(source) === file.source);
  const source = topic.sources[at];
  if (source?.type !== 'git' || file.commit === undefined) return undefined;
  const directory = sourceDirectories(topic.sources)[at] ?? '';
  const path = file.path.slice(directory.length).split('/').map(encodeURIComponent).join('/');
  return hostedAddress(source.url, { commit: file.commit, path, lines });
}

interface Place {
  readonly commit: string;
  readonly path: string;
  readonly lines: LineRange | undefined;
}

function hostedAddress(url: string, { commit, path, lines }: Place): string | undefined {
  const [, host = '', given = ''] =
    /^(?:https:\/\/|ssh:\/\/git@|git@)([\w.-]+)[/:]([\w./-]+)$/.exec(url) ?? [];
  const repository = given.replace(/\/$/, '').replace(/\.git$/, '');
  if (!/^[^/]+\/[^/]/.test(repository)) return undefined;
  const page = HOSTS[host]?.({ commit, path, lines });
  return page === undefined ? undefined : `https://${host}/${repository}/${page}`;
}

const HOSTS: Readonly<Record<string, (place: Place) => string>> = {
  'github.com': ({ commit, path, lines }) => `blob/${commit}/${path}${range(lines, 'L', '-L')}`,
  'gitlab.com': ({ commit, path, lines }) => `-/blob/${commit}/${path}${range(lines, 'L', '-')}`,
  'codeberg.org': ({ commit, path, lines }) => `src/commit/${commit}/${path}${range(lines, 'L', '-L')}`,
  'bitbucket.org': ({ commit, path, lines }) => `src/${commit}/${path}${range(lines, 'lines-', ':')}`,
};

function range(lines: LineRange | undefined, prefix: string, between: string): string {
  if (!lines) return '';
  return lines.first === lines.last
    ? `#${prefix}${lines.first}`
    : `#${prefix}${lines.first}${between}${lines.last}`;
}
