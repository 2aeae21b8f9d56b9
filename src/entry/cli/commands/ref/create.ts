import path from 'node:path';
import { Fault } from '../../../../base/fault.ts';
import {
  createTopic,
  deniedFault,
  pendingFault,
} from '../../../../domain/references/lifecycle/create-topic.ts';
import type { RequestedSource } from '../../../../domain/references/lifecycle/topic-request.ts';
import { fetchLimits } from '../../../../domain/references/tools/reference-tools.ts';
import { command } from '../../command.ts';
import { type Options, requiredText } from '../../options.ts';
import { jobProgress } from '../../render/job-progress.ts';
import type { lockedRef } from './locked-ref.ts';
import { DESCRIPTION, personOf, printFetched, readDescription } from './named-topic.ts';

export const createReference = command({
  name: 'create',
  summary: 'fetch repositories and pages as a new topic, after your approval',
  description:
    'Finds out the size, asks for your approval, fetches and indexes. --ref, --package and --path apply to the ' +
    '--git before them. --package looks for the version in package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock, ' +
    'Cargo.lock, uv.lock, poetry.lock, pdm.lock, Pipfile.lock, go.mod, go.sum, Gemfile.lock or composer.lock, and ' +
    'fetches the tag of that version. Without a terminal the request waits for "ken approvals approve".',
  examples: [
    'ref create --title Dioxus --git https://github.com/DioxusLabs/dioxus --ref main --path docs/ --path README.md',
    'ref create --title Hono --git https://github.com/honojs/hono --package hono',
    'ref create --title "Fetch standard" --web https://fetch.spec.whatwg.org/ --max-age-days 90 --tag web',
  ],
  options: [
    { flags: '--title <text>', summary: 'the title', required: true },
    { flags: '--git <url>', summary: 'a repository', repeatable: true },
    {
      flags: '--ref <name>',
      summary: 'its branch, tag or commit; the default branch if absent',
      repeatable: true,
    },
    {
      flags: '--package <name>',
      summary: "take its version from the project's lock file, as --ref",
      repeatable: true,
    },
    { flags: '--path <path>', summary: 'only this file or directory/ of it; globs work', repeatable: true },
    { flags: '--web <url>', summary: 'one page', repeatable: true },
    ...DESCRIPTION,
  ],

  async run(invocation) {
    const { options, terminal, signal, directory, openAnywhere } = invocation;
    const title = requiredText(options, 'title');
    const named = sourcesIn(options, directory);
    const description = await readDescription(invocation);
    const app = await openAnywhere();
    const told = new Set<string>();
    const sources = await withLockedRefs(invocation, named, app.workspace?.root ?? directory);
    const progress = await jobProgress(terminal, app.clock, signal);
    const outcome = await createTopic(
      app,
      {
        topic: {
          title,
          sources,
          ...description,
          createdBy: personOf(app),
          limits: fetchLimits(app.config.references),
        },
        workspace: app.workspace?.root,
        actor: 'ken ref create',
        // Where nobody is asked, the sources are fetched at once anyway.
        surveysFirst:
          app.config.approvals.noninteractive === 'allow' || (await app.operator.presence()).isPresent,
        onWarning: (text) => {
          told.add(text);
          terminal.warn(`${text}.`);
        },
        onProgress: progress.show,
      },
      signal,
    ).finally(progress.end);
    if (outcome.kind !== 'created')
      throw outcome.kind === 'denied' ? deniedFault(title) : pendingFault(outcome.approval);
    printFetched(terminal, outcome.topic, told);
  },
});

/** Adds each `--ref` and `--path` to the `--git` before it. */
function sourcesIn(
  options: Options<'git' | 'ref' | 'package' | 'path' | 'web'>,
  directory: string,
): NamedSource[] {
  const sources: NamedSource[] = [];
  for (const { name, value } of options.inOrder('git', 'ref', 'package', 'path', 'web')) {
    const last = sources.at(-1);
    if (name === 'git')
      sources.push({ type: 'git', url: lasting(value, directory), paths: [], isTyped: true });
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

type NamedSource = RequestedSource & { readonly package?: string };

async function withLockedRefs(
  invocation: Parameters<typeof lockedRef>[0],
  sources: readonly NamedSource[],
  top: string,
): Promise<RequestedSource[]> {
  const found: RequestedSource[] = [];
  for (const { package: name, ...source } of sources) {
    const isLocked = name !== undefined && source.type === 'git';
    found.push(isLocked ? { ...source, ref: await loadedRef(invocation, name, top) } : source);
  }
  return found;
}

async function loadedRef(...given: Parameters<typeof lockedRef>): Promise<string> {
  return (await import('./locked-ref.ts')).lockedRef(...given);
}

/** Makes a relative path absolute: it would mean another repository in another directory. */
function lasting(url: string, directory: string): string {
  return /^\.{1,2}(\/|$)/.test(url) ? path.resolve(directory, url) : url;
}

function misplaced(name: string, value: string): Fault {
  return new Fault('cli/usage', `--${name} ${value} does not follow a --git that it could belong to.`, {
    hint: `Write --git URL --${name} ${value}.`,
  });
}
