import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import { asWriter } from '../../../../domain/conversations/find-conversation.ts';
import type { ConversationWriter } from '../../../../domain/conversations/store.ts';
import {
  changeLabels,
  formatLabel,
  type LabelChange,
  type Labels,
  labelChanges,
} from '../../../../domain/labels/label.ts';
import {
  type LabelDirective,
  parseLabelDirective,
  pasteableDirectives,
} from '../../../../domain/labels/label-directive.ts';
import { parseLabelKey } from '../../../../domain/labels/label-value.ts';
import { relabel } from '../../../conversation-settings.ts';
import { command, type Invocation, type OptionSpec } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';
import { targetsOf, waitFor } from './change-each.ts';

const ID = {
  flags: '--id <id>',
  summary: 'the conversation; this terminal’s if absent',
  repeatable: true,
  complete: 'conversations',
} as const satisfies OptionSpec;

const addLabels = command({
  name: 'add',
  summary: 'add labels to conversations',
  description:
    'Prints each change as arguments of this command: those that repeat it and, if it replaced a value, those ' +
    'that undo it.',
  examples: ['c label add branch=main wip', 'c label add --id 01k9 :branch team-'],
  arguments: [
    {
      name: 'label',
      summary: 'k=v, k, :alias, or k- to remove',
      required: true,
      variadic: true,
      complete: 'labels',
    },
  ],
  options: [ID],
  run: (invocation) => change(invocation, invocation.arguments.map(parseLabelDirective)),
});

const removeLabels = command({
  name: 'rm',
  summary: 'remove labels from conversations',
  examples: ['c label rm wip', 'c label rm --id 01k9 branch team'],
  arguments: [{ name: 'key', summary: 'keys of labels', required: true, variadic: true }],
  options: [ID],
  run: (invocation) =>
    change(
      invocation,
      invocation.arguments.map((key): LabelDirective => ({ kind: 'remove', key: parseLabelKey(key) })),
    ),
});

const listLabels = command({
  name: 'ls',
  summary: 'list the labels of conversations',
  examples: ['c label ls', 'c label ls --id @last'],
  options: [ID],

  async run({ options, terminal, open }) {
    const found = await targets(await open(), options.texts('id'), terminal);
    if (terminal.json)
      terminal.printJson({
        conversations: found.map(({ id, metadata }) => ({ id, labels: Object.fromEntries(metadata.labels) })),
      });
    else
      for (const { id, metadata } of found)
        for (const [key, value] of metadata.labels)
          terminal.print(`${found.length > 1 ? `${id}  ` : ''}${formatLabel(key, value)}`);
  },
});

export const labelConversations = command({
  name: 'label',
  summary: 'list, set and remove labels',
  examples: ['c label ls', 'c label add branch=main', 'c label rm wip'],
  subcommands: [addLabels, removeLabels, listLabels],
});

function targets(app: WorkspaceApp, ids: readonly string[], terminal: Terminal): Promise<Conversation[]> {
  return targetsOf(app, ids.length > 0 ? ids : ['@active'], terminal);
}

async function change(invocation: Invocation<'id'>, directives: readonly LabelDirective[]): Promise<void> {
  const { terminal, options, open } = invocation;
  const app = await open();
  const found = await targets(app, options.texts('id'), terminal);
  if (found.length > 1 && directives.some(({ kind }) => kind === 'alias')) {
    throw new Fault('cli/usage', 'An alias is resolved for one conversation at a time.', {
      hint: 'Give one --id.',
    });
  }
  const report: Changed[] = [];
  for (const conversation of found) {
    const change = async (writer: ConversationWriter, current: Conversation) => ({
      id: current.id,
      before: current.metadata.labels,
      changes: await relabel(invocation, app, { writer, conversation: current, directives }),
    });
    report.push(await asWriter(app, conversation, waitFor(invocation), change));
  }
  if (terminal.json)
    terminal.printJson({
      conversations: report.map(({ id, before, changes }) => ({
        id,
        changes: changes.map((each) => changeJson(each, before)),
      })),
    });
  else for (const each of report) tell(terminal, each);
}

interface Changed {
  readonly id: string;
  readonly before: Labels;
  readonly changes: readonly LabelChange[];
}

/** Prints the change and how to undo it, since the old value is stored nowhere else. */
function tell(terminal: Terminal, { id, before, changes }: Changed): void {
  terminal.print(`${id}  ${pasteableDirectives(changes) || '(nothing changed)'}`);
  if (!changes.some(({ key }) => before.has(key))) return;
  const undo = labelChanges(changeLabels(before, changes), before);
  terminal.note(`undo: ken c label add --id ${id} ${pasteableDirectives(undo)}`);
}

function changeJson(change: LabelChange, before: Labels) {
  const was = before.get(change.key);
  return {
    key: change.key,
    ...(change.kind === 'set' ? { value: change.value } : { removed: true }),
    ...(was !== undefined && { was }),
  };
}
