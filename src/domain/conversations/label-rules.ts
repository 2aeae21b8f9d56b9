import { shellWord } from '../../base/shell-words.ts';

/** A configured label with its defaults filled in. */
export interface LabelRule {
  readonly key: string;
  readonly value: LabelSource;
  /** Each line of the value is a label of its own. */
  readonly isMulti: boolean;
  readonly applyOn: ApplyOn;
  readonly run: 'ask' | 'unattended' | 'deny';
  readonly timeoutMs: number;
}

interface ApplyOn {
  readonly new: boolean;
  readonly fork: boolean;
  /** Before each question; a command only if it runs unattended. */
  readonly turn: boolean;
}

export type LabelSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly command: LabelCommand };

export interface LabelCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** True: the program is a line for a shell, and each argument is appended as one word. */
  readonly shell: boolean;
}

export type ConfiguredLabels = Readonly<Record<string, string | ConfiguredLabel | undefined>>;

export interface ConfiguredLabel {
  readonly value?: string | { readonly cmd?: string | Partial<LabelCommand> | undefined } | undefined;
  readonly multi: boolean;
  readonly apply_on: ApplyOn;
  readonly run: LabelRule['run'];
  readonly timeout: number;
}

const SIMPLE = {
  isMulti: false,
  applyOn: { new: true, fork: false, turn: false },
  run: 'ask',
  timeoutMs: 10_000,
} as const;

/** `split` splits a command line, which the config has validated. */
export function labelRules(
  configured: ConfiguredLabels,
  split: (line: string) => readonly string[] | undefined,
): LabelRule[] {
  return Object.entries(configured).flatMap(([key, label]): LabelRule[] => {
    if (label === undefined) return [];
    if (typeof label === 'string') return [{ key, value: { kind: 'text', text: label }, ...SIMPLE }];
    const { multi: isMulti, apply_on: applyOn, run, timeout } = label;
    const value = sourceOf(label.value, split);
    return [{ key, value, isMulti, applyOn, run, timeoutMs: timeout * 1000 }];
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

/** The whole command as a line for a shell, as shown to the operator. */
export function commandLine({ program, args, shell }: LabelCommand): string {
  return [shell ? program : shellWord(program), ...args.map(shellWord)].join(' ');
}
