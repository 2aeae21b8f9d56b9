import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { splitCommand } from '../../../../base/shell-words.ts';
import { didYouMean } from '../../../../base/similar.ts';
import { activeConversation, findConversation } from '../../../../domain/conversations/find-conversation.ts';
import { command, type Invocation } from '../../command.ts';
import { LABEL, type Options } from '../../options.ts';
import { continuing } from './choose-place.ts';

/** Runs each line as the command that does the same elsewhere, so that nothing works differently here. */
export const chat = command({
  name: 'chat',
  summary: 'ask the assistant at a prompt that stays',
  description:
    'Every line is a question in one conversation; /help lists what else can be typed. A backslash before Enter, or ' +
    'Alt-Enter, continues on the next line. Ctrl-C stops the answer; pressed twice, it leaves.',
  examples: ['chat', 'chat -n -m ollama/llama3', 'chat --id @prev'],
  options: [
    { flags: '-n, --new', summary: 'start a new conversation' },
    { flags: '--id <id>', summary: 'continue this conversation', complete: 'conversations' },
    {
      flags: '-k, --knowledge <topic/glob>',
      summary: 'subjects to preload',
      repeatable: true,
      complete: 'topic-subjects',
    },
    LABEL,
    { flags: '-m, --model <model>', summary: 'use this model from now on' },
    { flags: '--local', summary: 'store a new conversation outside the workspace' },
  ],

  async run(invocation) {
    const { options, terminal } = invocation;
    if (!terminal.isInteractive || !terminal.isTerminal)
      throw new Fault('cli/usage', 'ken chat needs a terminal.', {
        hint: 'Ask a single question with "ken q".',
      });
    if (options.has('new') && options.has('id'))
      throw new Fault('cli/usage', '--new and --id exclude each other.');
    const app = await invocation.open();
    const state: State = { invocation, app, next: flagsOf(options), id: options.text('id'), said: [] };
    if (!options.has('new')) state.id ??= await activeConversation(app);
    state.said = await earlierQuestions(state);
    await greet(state);
    await answerLines(state);
  },
});

type ChatInvocation = Invocation<
  'new' | 'id' | 'knowledge' | 'label' | 'model' | 'local',
  'id' | 'knowledge' | 'label' | 'model'
>;

interface State {
  readonly invocation: ChatInvocation;
  readonly app: WorkspaceApp;
  /** Flags of the next question. */
  next: string[];
  /** The conversation, once there is one. */
  id: string | undefined;
  /** Newest first. */
  said: string[];
}

function flagsOf(
  options: Options<'new' | 'local' | 'knowledge' | 'label' | 'model', 'knowledge' | 'label' | 'model'>,
): string[] {
  const model = options.text('model');
  return [
    ...(options.has('new') ? ['--new'] : []),
    ...(options.has('local') ? ['--local'] : []),
    ...(model === undefined ? [] : ['--model', model]),
    ...options.texts('knowledge').flatMap((each) => ['--knowledge', each]),
    ...options.texts('label').flatMap((each) => ['--label', each]),
  ];
}

async function greet({ app, id, invocation: { terminal } }: State): Promise<void> {
  const conversation = id === undefined ? undefined : await findConversation(app, id);
  if (conversation) terminal.dim(continuing(conversation));
  else terminal.dim('A new conversation.');
  terminal.dim('/help lists the commands, Ctrl-D leaves.');
}

async function earlierQuestions({ app, id }: State): Promise<string[]> {
  if (id === undefined) return [];
  const log = await app.conversations.log((await findConversation(app, id)).id);
  return (log?.events ?? [])
    .flatMap((event) => (event.type === 'user_message' ? [event.text] : []))
    .reverse();
}

async function answerLines(state: State): Promise<void> {
  const { app, invocation } = state;
  let isLeaving = false;
  for (;;) {
    const complete = (line: string) => completeChat(invocation, line);
    const typed = await app.prompt.read({ prompt: '> ', history: state.said, complete, isFresh: isLeaving });
    if (typed.type === 'end') return invocation.terminal.note('');
    if (typed.type === 'interrupted') {
      if (isLeaving && !typed.hadText) return;
      isLeaving = !typed.hadText;
      if (isLeaving) invocation.terminal.dim('Ctrl-C again leaves.');
      continue;
    }
    const text = typed.text.trim();
    if (text === '') continue;
    state.said.unshift(text);
    const code = text.startsWith('/') ? await obey(state, text) : await ask(state, text);
    if (code === 'leave' || code === CODE_OF_HANGUP) return;
    // Ctrl-C that stopped the answer counts as the first one.
    isLeaving = code === CODE_OF_INTERRUPT;
  }
}

const CODE_OF_INTERRUPT = 130;
const CODE_OF_HANGUP = 129;

type Outcome = number | 'leave';

async function ask(state: State, text: string): Promise<Outcome> {
  const place = state.id === undefined ? [] : ['--id', state.id];
  const flags = state.next;
  const code = await state.invocation.runLine(['query', ...flags, ...place, '--', text]);
  if (code === 0 || code === CODE_OF_INTERRUPT) state.next = [];
  if (WRONG_FLAGS.has(code)) dropWrong(state);
  const isNew = flags.includes('--new') || state.id === undefined;
  if (isNew) state.id = await newest(state);
  if (state.id !== undefined) state.next = state.next.filter((flag) => flag !== '--new');
  return code;
}

/** Exit codes of a question with a wrong flag, or with one that names something that is not there. */
const WRONG_FLAGS: ReadonlySet<number> = new Set([2, 3]);

/** Drops the flags of a failed question, as they would fail every later one too. */
function dropWrong(state: State): void {
  const isKept = (flag: string) => flag === '--new' || flag === '--local';
  const dropped = state.next.filter((flag) => !isKept(flag) && !flag.startsWith('--'));
  state.next = state.next.filter(isKept);
  if (dropped.length > 0)
    state.invocation.terminal.dim(`The next question goes without ${dropped.join(', ')}.`);
}

/** The terminal's conversation, or the last one where the terminal cannot be recognised. */
async function newest({ app }: State): Promise<string | undefined> {
  return (await activeConversation(app)) ?? (await findConversation(app, '@last').catch(() => undefined))?.id;
}

interface SlashCommand {
  readonly usage: string;
  readonly summary: string;
  /** Words of a command line whose completion serves here. */
  readonly completes?: readonly string[];
  run(state: State, words: readonly string[], text: string): Promise<Outcome>;
}

const SLASH: Readonly<Record<string, SlashCommand>> = {
  attach: {
    usage: '/attach SOURCE…',
    summary: 'attach files, pages or cmd: commands to the next question',
    run: async (state, words) => addFlags(state, '--attach', words),
  },
  exit: { usage: '/exit', summary: 'leave', run: async () => 'leave' },
  fork: {
    usage: '/fork',
    summary: 'continue in a copy of the conversation',
    run: (state) => forkAt(state, []),
  },
  help: { usage: '/help', summary: 'list these commands', run: async (state) => help(state) },
  label: {
    usage: '/label [K=V…]',
    summary: 'set labels of the conversation, or list them',
    completes: ['conversation', 'label', 'add'],
    run: (state, words) => {
      const id = state.id === undefined ? [] : ['--id', state.id];
      if (words.length > 0 && state.id === undefined) return addFlags(state, '--label', words);
      return state.invocation.runLine([
        'conversation',
        'label',
        ...(words.length > 0 ? ['add'] : ['ls']),
        ...id,
        ...words,
      ]);
    },
  },
  learn: {
    usage: '/learn TOPIC/GLOB…',
    summary: 'preload subjects from the next question on',
    completes: ['query', '--knowledge'],
    run: async (state, words) => addFlags(state, '--knowledge', words),
  },
  model: {
    usage: '/model [NAME]',
    summary: 'use another model from the next question on, or list them',
    run: (state, [name]) =>
      name ? addFlags(state, '--model', [name]) : state.invocation.runLine(['models']),
  },
  new: {
    usage: '/new',
    summary: 'start a new conversation',
    async run(state) {
      state.id = undefined;
      state.next = ['--new'];
      state.invocation.terminal.dim('The next question starts a new conversation.');
      return 0;
    },
  },
  search: {
    usage: '/search WORDS…',
    summary: 'search what ken knows',
    run: (state, words) => state.invocation.runLine(['search', '--', words.join(' ')]),
  },
  tools: {
    usage: '/tools',
    summary: 'list the tools of the assistant',
    run: (state) => state.invocation.runLine(['tools', 'ls']),
  },
  undo: {
    usage: '/undo',
    summary: 'continue in a copy without the last question and its answer',
    run: undo,
  },
};

async function obey(state: State, text: string): Promise<Outcome> {
  const { terminal } = state.invocation;
  const [, name = ''] = /^\/(\S*)/.exec(text) ?? [];
  const rest = text.slice(name.length + 1).trim();
  const found = Object.hasOwn(SLASH, name) ? SLASH[name] : undefined;
  if (!found) {
    const hint = didYouMean(name, Object.keys(SLASH), (known) => `/${known}`) ?? '/help lists the commands.';
    terminal.error(new Fault('cli/usage', `There is no command "/${name}".`, { hint }));
    return 2;
  }
  const words = splitCommand(rest);
  if (words) return found.run(state, words, rest);
  terminal.error(new Fault('cli/usage', 'A quote is not closed.'));
  return 2;
}

async function addFlags(
  { next, invocation: { terminal } }: State,
  flag: string,
  words: readonly string[],
): Promise<Outcome> {
  if (words.length === 0) {
    terminal.error(
      new Fault('cli/usage', 'Something is missing after the command.', {
        hint: '/help shows how it is used.',
      }),
    );
    return 2;
  }
  next.push(...words.flatMap((word) => [flag, word]));
  terminal.dim(`With the next question: ${words.join(' ')}`);
  return 0;
}

async function forkAt(state: State, flags: readonly string[]): Promise<Outcome> {
  if (state.id === undefined) {
    state.invocation.terminal.dim('The conversation has not begun.');
    return 1;
  }
  const code = await state.invocation.runLine(['conversation', 'fork', state.id, ...flags]);
  if (code === 0) state.id = await newest(state);
  return code;
}

async function undo(state: State): Promise<Outcome> {
  const { app, id } = state;
  const log =
    id === undefined ? undefined : await app.conversations.log((await findConversation(app, id)).id);
  const turns = (log?.events ?? []).filter(({ type }) => type === 'turn_start').length;
  if (turns > 1) return forkAt(state, ['--turns', String(turns - 1)]);
  return SLASH.new?.run(state, [], '') ?? 0;
}

function help({ invocation: { terminal } }: State): Outcome {
  const width = Math.max(...Object.values(SLASH).map(({ usage }) => usage.length));
  for (const { usage, summary } of Object.values(SLASH)) terminal.print(`${usage.padEnd(width)}  ${summary}`);
  return 0;
}

async function completeChat(invocation: ChatInvocation, line: string) {
  const [, name = '', space = '', rest = ''] = /^\/(\S*)( *)(.*)$/.exec(line) ?? [];
  if (!line.startsWith('/')) return { values: [], typed: line };
  if (space === '') {
    const values = Object.keys(SLASH).filter((each) => each.startsWith(name));
    return { values: values.map((each) => `/${each} `), typed: line };
  }
  const typed = /\S*$/.exec(rest)?.[0] ?? '';
  const words = SLASH[name]?.completes;
  if (!words) return { values: [], typed };
  const { completeLine } = await import('../../completion/complete-line.ts');
  const { completionPorts } = await import('../completion/complete.ts');
  const { suggestions } = await completeLine(completionPorts(invocation), [...words, typed]);
  return { values: suggestions.map(({ value }) => value), typed };
}
