/** The hooks of Claude Code and Codex: both read the same members from a file of their own. */

import { isJsonList, isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import { sameValue } from '../../../config/tree.ts';
import { type ClientContext, type ClientName, type ClientPlace, codexDirectory } from './clients.ts';
import { appendInJsonc, parseJsonc, removeItemsInJsonc, valueInJsonc } from './edit-jsonc.ts';

export type HookPlace = Pick<ClientPlace, 'file' | 'standing'> & {
  /** The words that start ken, for a shell. */
  readonly program: string;
};

/** Undefined for a client that has no hooks in this format. */
export function hookPlace(client: ClientName, context: ClientContext, isOwn: boolean): HookPlace | undefined {
  const hooks = HOOK_FILES[client];
  if (hooks === undefined) return undefined;
  if (!isOwn) return { file: `${context.root}/${hooks.file}`, standing: 'workspace', program: 'ken' };
  return { file: hooks.ownFile(context), standing: 'user', program: context.program.map(quoted).join(' ') };
}

export function nextForHooks(client: ClientName): string {
  return HOOK_FILES[client]?.next ?? '';
}

interface HookFiles {
  /** In a workspace. */
  readonly file: string;
  ownFile(context: ClientContext): string;
  readonly next: string;
}

const HOOK_FILES: Readonly<Partial<Record<ClientName, HookFiles>>> = {
  'claude-code': {
    file: '.claude/settings.json',
    ownFile: ({ claudeHome, home }) => `${claudeHome ?? `${home}/.claude`}/settings.json`,
    next: 'Start Claude Code again; /hooks shows the hooks.',
  },
  codex: {
    file: '.codex/hooks.json',
    ownFile: (context) => `${codexDirectory(context)}/hooks.json`,
    next: 'Codex runs the hooks once you have trusted them in /hooks.',
  },
};

function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Both clients start anew after a compaction, which is when the text that was lost comes back. */
const HOOKS: readonly { event: string; name: string; matcher?: string; seconds: number }[] = [
  { event: 'SessionStart', name: 'session-start', matcher: 'startup|resume|clear', seconds: 10 },
  { event: 'SessionStart', name: 'post-compact', matcher: 'compact', seconds: 10 },
  { event: 'UserPromptSubmit', name: 'user-prompt', seconds: 10 },
  { event: 'PreCompact', name: 'pre-compact', seconds: 60 },
  { event: 'Stop', name: 'stop', seconds: 60 },
];

export function withHooks({ program }: Pick<HookPlace, 'program'>, text: string | undefined): string {
  return HOOKS.reduce((edited: string | undefined, { event, name, matcher, seconds }) => {
    const hook = { type: 'command', command: `${program} hook ${name}`, timeout: seconds };
    const wanted: JsonObject = { ...(matcher !== undefined && { matcher }), hooks: [hook] };
    const present = itemsIn(edited, event).filter((item) => isOwn(item, name));
    if (present.length === 1 && sameValue(present[0], wanted)) return edited;
    const without = edited && removeItemsInJsonc(edited, ['hooks', event], (item) => isOwn(item, name));
    return appendInJsonc(without, ['hooks', event], wanted);
  }, text) as string;
}

/** Undefined if nothing else is left. `kept` is the text before the last change. */
export function withoutHooks(
  place: Pick<HookPlace, 'program'>,
  text: string,
  kept: string | undefined,
): string | undefined {
  if (kept !== undefined && kept !== text && withHooks(place, kept) === text) return kept;
  if (withHooks(place, undefined) === text) return undefined;
  return HOOKS.reduce(
    (edited, { event, name }) => removeItemsInJsonc(edited, ['hooks', event], (item) => isOwn(item, name)),
    text,
  );
}

export function hasHooks(text: string | undefined): boolean {
  return HOOKS.some(({ event, name }) => itemsIn(text, event).some((item) => isOwn(item, name)));
}

function itemsIn(text: string | undefined, event: string): readonly Json[] {
  if (text === undefined || text.trim() === '') return [];
  const items = isJsonObject(parseJsonc(text)) ? valueInJsonc(text, ['hooks', event]) : undefined;
  return isJsonList(items) ? items : [];
}

/** An item that holds another hook too belongs to somebody else. */
function isOwn(item: Json, name: string): boolean {
  const hooks = memberOf(item, 'hooks');
  if (!isJsonList(hooks) || hooks.length !== 1) return false;
  const command = memberOf(hooks[0], 'command');
  return (
    typeof command === 'string' &&
    /(?:^|[/\s'])ken(?:\.[cm]?js)?'? hook [a-z-]+$/.test(command) &&
    command.endsWith(` ${name}`)
  );
}
