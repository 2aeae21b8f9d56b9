import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { LabelChange } from '../../../../domain/labels/label.ts';
import { parseLabelDirective } from '../../../../domain/labels/label-directive.ts';
import { type FetchedTopic, workResult } from '../../../../domain/references/lifecycle/fetch-topic.ts';
import type { FetchLimits } from '../../../../domain/references/lifecycle/topic-request.ts';
import { parseCitation } from '../../../../domain/search/citations/citation.ts';
import type { ArgumentSpec, Invocation } from '../../command.ts';
import { readContent } from '../../read-content.ts';
import type { Terminal } from '../../terminal.ts';

export const TOPIC: ArgumentSpec = {
  name: 'topic',
  summary: 'its id or title, or a citation of it',
  required: true,
  complete: 'reference-topics',
};

/** The topic id in a citation or a ken:// address, or the name as it was typed. */
export function topicName(text: string): string {
  const citation = parseCitation(text);
  if (citation?.kind === 'reference') return citation.topicId;
  const [, id] = /^ken:\/\/ref\/([\w.-]+)$/.exec(text) ?? [];
  return id ?? text;
}

export function fetchLimits({ config }: Pick<App, 'config'>): FetchLimits {
  const { max_files: maxFiles, max_bytes: maxBytes, max_file_bytes: maxFileBytes } = config.references;
  return { maxFiles, maxBytes, maxFileBytes };
}

/** `-` is standard input. */
export async function bodyText(
  given: string | undefined,
  invocation: Invocation,
): Promise<string | undefined> {
  if (given !== '-') return given;
  const bytes = await readContent('-', invocation);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new Fault('references/invalid', 'Standard input is not UTF-8 text.', { cause });
  }
}

export function labelChanges(texts: readonly string[]): LabelChange[] {
  return texts.map((text) => {
    const directive = parseLabelDirective(text);
    if (directive.kind !== 'alias') return directive;
    throw new Fault('labels/invalid', `A topic takes no alias like "${text}".`, { hint: 'Write KEY=VALUE.' });
  });
}

export function printFetched(terminal: Terminal, fetched: FetchedTopic): void {
  if (terminal.json) terminal.printJson(fetched);
  else {
    terminal.print(fetched.topic_id);
    terminal.note(workResult(fetched).message);
  }
}
