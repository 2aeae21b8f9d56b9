import type { App } from '../../../../app.ts';
import { changeLabels } from '../../../../domain/labels/label.ts';
import { parseLabelChanges } from '../../../../domain/labels/label-directive.ts';
import { type FetchedTopic, workResult } from '../../../../domain/references/lifecycle/fetch-topic.ts';
import type { Actor } from '../../../../domain/references/topic/topic-change.ts';
import { parseCitation } from '../../../../domain/search/citations/citation.ts';
import type { ArgumentSpec, Invocation, OptionSpec } from '../../command.ts';

import type { ValuedName } from '../../options.ts';
import { readText } from '../../read-content.ts';
import type { Terminal } from '../../terminal.ts';

export const TOPIC: ArgumentSpec = {
  name: 'topic',
  summary: 'its id or title, or a citation of it',
  required: true,
  complete: 'reference-topics',
};

/** The topic id in a citation or a ken:// address, or the name as typed. */
export function topicName(text: string): string {
  const citation = parseCitation(text);
  if (citation?.kind === 'reference') return citation.topicId;
  const [, id] = /^ken:\/\/ref\/([\w.-]+)$/.exec(text) ?? [];
  return id ?? text;
}

/** The options that describe a new topic, but for its title and sources. */
export const DESCRIPTION = [
  { flags: '--body <text>', summary: 'a description in Markdown; - for standard input' },
  { flags: '--tag <tag>', summary: 'a tag to find it by', repeatable: true },
  { flags: '--max-age-days <n>', summary: 'stale after this many days (30); 0 means never' },
  { flags: '--trust-score <n>', summary: 'from 0 to 10 (5); orders near-ties' },
  { flags: '--label <key=value>', summary: 'a label', repeatable: true },
] as const satisfies readonly OptionSpec[];

/** The values of `DESCRIPTION`. */
export async function readDescription(
  invocation: Invocation<ValuedName<(typeof DESCRIPTION)[number]['flags']>>,
) {
  const { options } = invocation;
  const maxAgeDays = options.count('max-age-days');
  const trustScore = options.count('trust-score');
  const labels = changeLabels(new Map(), parseLabelChanges(options.texts('label'), 'A topic'));
  const body = await readText(options.text('body'), invocation, 'references/invalid');
  return {
    tags: options.texts('tag'),
    labels,
    ...(body !== undefined && { body }),
    ...(maxAgeDays !== undefined && { maxAgeDays }),
    ...(trustScore !== undefined && { trustScore }),
  };
}

/** The actor of changes that a person makes on the command line. */
export function personOf({ config }: Pick<App, 'config'>): Actor {
  return { ghost: config.assistant.name, model: undefined };
}

/** `told`: warnings that were printed before the fetch. */
export function printFetched(
  terminal: Terminal,
  fetched: FetchedTopic,
  told: ReadonlySet<string> = new Set(),
): void {
  if (terminal.json) terminal.printJson(fetched);
  else {
    const warnings = fetched.warnings.filter((warning) => !told.has(warning));
    terminal.print(fetched.topic_id);
    terminal.note(workResult({ ...fetched, warnings }).message);
  }
}
