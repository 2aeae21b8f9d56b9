import {
  createTopic,
  deniedFault,
  pendingFault,
} from '../../../../domain/references/lifecycle/create-topic.ts';
import type { RequestedSource } from '../../../../domain/references/lifecycle/topic-request.ts';
import { fetchLimits } from '../../../../domain/references/tools/reference-tools.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';
import type { lockedRef } from './locked-ref.ts';
import { type NamedSource, sourcesIn, titleFor } from './named-sources.ts';
import { DESCRIPTION, personOf, printFetched, readDescription } from './named-topic.ts';

export const createReference = command({
  name: 'create',
  aliases: ['add'],
  summary: 'fetch repositories and pages as a new topic, after your approval',
  description:
    'Finds out the size, asks for your approval, fetches and indexes. --ref, --package and --path apply to the ' +
    'repository before them. --package looks for the version in package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock, ' +
    'Cargo.lock, uv.lock, poetry.lock, pdm.lock, Pipfile.lock, go.mod, go.sum, Gemfile.lock or composer.lock, and ' +
    'fetches the tag of that version. Without a terminal the request waits for "ken approvals approve".',
  examples: [
    'ref create honojs/hono --path docs/',
    'ref create --title Dioxus --git https://github.com/DioxusLabs/dioxus --ref main --path docs/ --path README.md',
    'ref create --title Hono --git https://github.com/honojs/hono --package hono',
    'ref create --title "Fetch standard" --web https://fetch.spec.whatwg.org/ --max-age-days 90 --tag web',
  ],
  arguments: [{ name: 'repository', summary: 'OWNER/NAME on GitHub, an address, or a path such as ./hono' }],

  options: [
    { flags: '--title <text>', summary: 'the title; by default the name of the repository, or the page' },
    { flags: '--git <url>', summary: 'a repository, or one more', repeatable: true },
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
    const named = sourcesIn(invocation);
    const title = options.text('title') ?? titleFor(named);
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
