/** The repositories and pages that a command line names, and the title that they give a topic. */

import path from 'node:path';
import { Fault } from '../../../../base/fault.ts';
import type { RequestedSource } from '../../../../domain/references/lifecycle/topic-request.ts';
import type { Options } from '../../options.ts';

export type NamedSource = RequestedSource & { readonly package?: string };

interface Named {
  readonly arguments: readonly string[];
  readonly options: Options<'git' | 'ref' | 'package' | 'path' | 'web'>;
  /** Base of relative paths. */
  readonly directory: string;
}

/** The repository of the argument first. Adds each `--ref` and `--path` to the repository before it. */
export function sourcesIn({ arguments: [first], options, directory }: Named): NamedSource[] {
  const repository = (url: string): NamedSource => ({
    type: 'git',
    url: lasting(url, directory),
    paths: [],
    isTyped: true,
  });
  const sources = first === undefined ? [] : [repository(onGitHub(first))];
  for (const { name, value } of options.inOrder('git', 'ref', 'package', 'path', 'web')) {
    const last = sources.at(-1);
    if (name === 'git') sources.push(repository(value));
    else if (name === 'web') sources.push({ type: 'web', url: value });
    else if (last?.type !== 'git') throw misplaced(name, value);
    else if (name === 'path') sources[sources.length - 1] = { ...last, paths: [...last.paths, value] };
    else if (last.ref !== undefined || last.package !== undefined)
      throw new Fault('cli/usage', `${last.url} has two refs.`);
    else if (name === 'package') sources[sources.length - 1] = { ...last, package: value };
    else sources[sources.length - 1] = { ...last, ref: value };
  }
  return sources;
}

/** The name of the first repository, or the address of the first page. */
export function titleFor([first]: readonly NamedSource[]): string {
  if (!first)
    throw new Fault('cli/usage', '"ken ref create" needs a repository or a page.', {
      hint: 'Name a repository as OWNER/NAME, or use --git URL or --web URL.',
    });
  const address = first.url.replace(/\/+$/, '');
  if (first.type === 'web') return address.replace(/^[a-z]+:\/\//i, '').slice(0, LONGEST_TITLE);
  return (
    address
      .split(/[/:]/)
      .at(-1)
      ?.replace(/\.git$/, '') || address
  );
}

const LONGEST_TITLE = 200;

/** `OWNER/NAME` as GitHub writes it; anything else stays. */
function onGitHub(text: string): string {
  return /^[a-z\d][a-z\d-]{0,38}\/[\w.-]{1,100}$/i.test(text) ? `https://github.com/${text}` : text;
}

/** Makes a relative path absolute: it would mean another repository in another directory. */
function lasting(url: string, directory: string): string {
  return /^\.{1,2}(\/|$)/.test(url) ? path.resolve(directory, url) : url;
}

function misplaced(name: string, value: string): Fault {
  return new Fault('cli/usage', `--${name} ${value} does not follow a repository that it could belong to.`, {
    hint: `Write --git URL --${name} ${value}.`,
  });
}
