import { neutralise } from '../../../../base/terminal-text.ts';
import { attempt } from '../../attempt.ts';
import { command, type Invocation } from '../../command.ts';
import { type Completion, completeLine, splitLine } from '../../completion/complete-line.ts';
import { COMPLETERS } from '../../completion/completers.ts';
import type { Options } from '../../options.ts';

/** A slower completion is given up. */
const TIMEOUT_MS = 3000;

/** Called by the scripts of `ken completion`. On any error it suggests nothing. */
export const complete = command({
  name: 'complete',
  summary: 'print completions for a shell',
  description:
    'One suggestion a line, with its description after a tab; then a line with a colon and the sum of 2 (no space ' +
    'after it), 4 (no files) and 16 (directories only).',
  examples: ["complete -- config ''", "complete --line 'ken config s'"],
  arguments: [{ name: 'words', summary: 'the words of the line, without "ken"', variadic: true }],
  options: [{ flags: '--line <text>', summary: 'the line up to the cursor, instead of the words' }],

  async run(invocation) {
    const { arguments: words, options, terminal } = invocation;
    const line = options.text('line');
    const attempted = await attempt(
      () => completeLine(completionPorts(invocation), line === undefined ? words : splitLine(line).slice(1)),
      { signal: new AbortController().signal, timeoutMs: TIMEOUT_MS },
    );
    if (!attempted.isDone) terminal.detail(`No completions: ${attempted.error}`);
    terminal.write(answer(attempted.isDone ? attempted.value : { suggestions: [], fallback: 'none' }));
  },
});

export function completionPorts({ commands, openAnywhere }: Pick<Invocation, 'commands' | 'openAnywhere'>) {
  return {
    commands,
    completers: COMPLETERS,
    openFor: (given: Options<'cfg' | 'workspace'>) => () =>
      openAnywhere({ assignments: given.texts('cfg'), workspace: given.text('workspace') }),
  };
}

function answer({ suggestions, fallback }: Completion): string {
  const lines = suggestions.map(({ value, description = '' }) => `${value}\t${oneLine(description)}\n`);
  const noSpace = suggestions.some(({ isPartial }) => isPartial) ? 2 : 0;
  const files = { files: 0, none: 4, directories: 16 }[fallback];
  return `${lines.join('')}:${noSpace + files}\n`;
}

function oneLine(description: string): string {
  return neutralise(description).replace(/\s+/g, ' ').trim();
}
