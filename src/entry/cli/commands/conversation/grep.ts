import { Fault } from '../../../../base/fault.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import type { ConversationEvent } from '../../../../domain/conversations/event.ts';
import { fragmentOf, type GrepLine, grepEvents, linesTest } from '../../../../domain/conversations/grep.ts';
import type { ConversationStore } from '../../../../domain/conversations/store.ts';
import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import { command } from '../../command.ts';
import { LABEL_SELECTOR } from '../../options.ts';
import { printLong, type Terminal } from '../../terminal.ts';

export const grepConversations = command({
  name: 'grep',
  summary: 'find lines in conversations',
  description:
    'Prints ID:TURN:KIND:TEXT; KIND is user, assistant, reasoning or tool. Exit 1 when nothing matches.',
  examples: ["c grep 'connection refused'", "c grep --regex 'TODO|FIXME' --label branch=main"],
  arguments: [{ name: 'pattern', summary: 'a text, or a regular expression with --regex', required: true }],
  options: [
    LABEL_SELECTOR,
    { flags: '--regex', summary: 'the pattern is a regular expression' },
    { flags: '-i, --ignore-case', summary: 'ignore upper and lower case' },
    { flags: '--context <n>', summary: 'lines before and after each match' },
  ],

  async run({ arguments: [pattern = ''], options, terminal, open }) {
    const wanted = { pattern, isRegex: options.has('regex'), ignoreCase: options.has('ignore-case') };
    const matches = linesTest(wanted);
    const fragment = fragmentOf(wanted);
    const labels = parseSelectors(options.texts('label'));
    const context = options.count('context') ?? 0;
    const app = await open();
    const found: unknown[] = [];
    const shown: string[] = [];
    let hits = 0;
    for (const conversation of await app.conversations.list({ labels, archived: 'with', local: 'with' })) {
      const events = await eventsOf(app.conversations, conversation, fragment, terminal);
      for await (const line of grepEvents(app.patterns, events, { matches, context })) {
        if (line.isMatch) hits += 1;
        if (terminal.json) found.push({ conversation: conversation.id, ...jsonLine(line) });
        // A pipe gets each line at once; a pager needs all of them to know how many there are.
        else if (terminal.isTerminal) shown.push(`${textLine(conversation, line)}\n`);
        else terminal.print(textLine(conversation, line));
      }
    }
    if (terminal.json) terminal.printJson({ lines: found });
    else if (shown.length > 0) await printLong(terminal, app, shown.join(''));
    return hits > 0 ? 0 : 1;
  },
});

/** A log that cannot be read is named, and takes no other conversation away. */
async function eventsOf(
  store: Pick<ConversationStore, 'scan'>,
  { id }: Conversation,
  fragment: string | undefined,
  terminal: Pick<Terminal, 'warn'>,
): Promise<Iterable<ConversationEvent>> {
  try {
    return (await store.scan(id, fragment)) ?? [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    terminal.warn(error.message);
    return [];
  }
}

function jsonLine({ turn, kind, text, isMatch }: GrepLine) {
  return { turn, kind, text, match: isMatch };
}

/** As in grep, a dash marks the lines around a match. */
function textLine({ id }: Conversation, { turn, kind, text, isMatch }: GrepLine): string {
  const sign = isMatch ? ':' : '-';
  return [id, turn, kind, text].join(sign);
}
