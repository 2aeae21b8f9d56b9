import { styleText } from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

type When = 'auto' | 'always' | 'never';

/** `style.*` of the configuration. */
export interface StyleRules {
  readonly color: When;
  readonly markdown: When;
  readonly pager: When;
}

interface ColorQuestion {
  readonly isTerminal: boolean;
  readonly environment: Environment;
  /** False after `--no-color`. */
  readonly flag: boolean;
  readonly rule: When;
}

/** In this order: the flag, the environment, the configuration, the terminal. */
export function wantsColor({ isTerminal, environment, flag, rule }: ColorQuestion): boolean {
  if (!flag || environment.NO_COLOR) return false;
  const { FORCE_COLOR } = environment;
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (rule !== 'auto') return rule === 'always';
  return isTerminal && environment.TERM !== 'dumb';
}

export function wantsMarkdown(isTerminal: boolean, rule: When): boolean {
  return rule === 'auto' ? isTerminal : rule === 'always';
}

interface PagerQuestion {
  /** A person sees standard output and can type. */
  readonly isInteractive: boolean;
  readonly environment: Environment;
  readonly rule: When;
  readonly columns: number;
  readonly rows: number;
}

/** With the rule `auto`, only text that does not fit on the screen; one line is left for the shell's prompt. */
export function wantsPager(
  text: string,
  { isInteractive, environment, rule, columns, rows }: PagerQuestion,
): boolean {
  if (!isInteractive || rule === 'never' || environment.TERM === 'dumb') return false;
  if (rule === 'always') return true;
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.reduce((count, line) => count + Math.max(1, Math.ceil(line.length / columns)), 0) >= rows;
}

/** Terminals cannot be asked, so only those known to open links get them; `FORCE_HYPERLINK` overrides this. */
export function opensHyperlinks(environment: Environment): boolean {
  const { FORCE_HYPERLINK, TERM = '', TERM_PROGRAM = '', VTE_VERSION, KONSOLE_VERSION } = environment;
  if (FORCE_HYPERLINK) return FORCE_HYPERLINK !== '0';
  // Multiplexers pass links on only if configured to.
  if (TERM === 'dumb' || /^(?:screen|tmux)/.test(TERM)) return false;
  if (Number(VTE_VERSION) >= 5000 || Number(KONSOLE_VERSION) >= 201_200 || environment.WT_SESSION)
    return true;
  return (
    /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio)$/.test(TERM_PROGRAM) ||
    /kitty|alacritty|foot/.test(TERM)
  );
}

export type Style = Parameters<typeof styleText>[0];

/** The text must be neutralised already. */
export type Styler = (style: Style, text: string) => string;

export function styler(color: boolean): Styler {
  // Colour is decided already; styleText must not read the environment again.
  return (style, text) => (color && text !== '' ? styleText(style, text, { validateStream: false }) : text);
}
