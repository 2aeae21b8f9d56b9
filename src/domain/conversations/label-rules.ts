/** Configured labels: when they are put on, and how their values come about. */

import { shellWord } from '../../base/shell-words.ts';

/** A configured label with everything said. */
export interface LabelRule {
  readonly key: string;
  readonly value: LabelSource;
  readonly applyOn: { readonly new: boolean; readonly fork: boolean };
  readonly run: 'ask' | 'unattended' | 'deny';
  readonly timeoutMs: number;
}

export type LabelSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly command: LabelCommand };

export interface LabelCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The program is a line for a shell, as it is; the arguments come after it, each as one word. */
  readonly shell: boolean;
}

/** As the config has them: a text, or a table with its defaults filled in. */
export type ConfiguredLabels = Readonly<Record<string, string | ConfiguredLabel | undefined>>;

export interface ConfiguredLabel {
  readonly value?: string | { readonly cmd?: string | Partial<LabelCommand> | undefined } | undefined;
  readonly apply_on: { readonly new: boolean; readonly fork: boolean };
  readonly run: LabelRule['run'];
  readonly timeout: number;
}

const SIMPLE = { applyOn: { new: true, fork: false }, run: 'ask', timeoutMs: 10_000 } as const;

/** `split` takes a command line apart; the config has made sure that it can be. */
export function labelRules(
  configured: ConfiguredLabels,
  split: (line: string) => readonly string[] | undefined,
): LabelRule[] {
  return Object.entries(configured).flatMap(([key, label]): LabelRule[] => {
    if (label === undefined) return [];
    if (typeof label === 'string') return [{ key, value: { kind: 'text', text: label }, ...SIMPLE }];
    const { apply_on: applyOn, run, timeout } = label;
    return [{ key, value: sourceOf(label.value, split), applyOn, run, timeoutMs: timeout * 1000 }];
  });
}

function sourceOf(
  value: ConfiguredLabel['value'],
  split: (line: string) => readonly string[] | undefined,
): LabelSource {
  if (value === undefined || typeof value === 'string') return { kind: 'text', text: value ?? '' };
  const { cmd } = value;
  if (cmd === undefined) return { kind: 'text', text: '' };
  if (typeof cmd !== 'string') {
    const { program = '', args = [], shell = false } = cmd;
    return { kind: 'command', command: { program, args, shell } };
  }
  const [program = '', ...args] = split(cmd) ?? [];
  return { kind: 'command', command: { program, args, shell: false } };
}

/** The whole command as a line for a shell: what a person is asked about, and what a shell gets. */
export function commandLine({ program, args, shell }: LabelCommand): string {
  return [shell ? program : shellWord(program), ...args.map(shellWord)].join(' ');
}
