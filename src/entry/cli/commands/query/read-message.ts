import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import type { RecordDecision } from '../../../../base/approvals.ts';
import { Fault } from '../../../../base/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../base/json.ts';
import type { UserMessage } from '../../../../domain/conversations/event.ts';
import { attach } from '../../../../domain/turns/attach.ts';
import type { Invocation } from '../../command.ts';

export type Message = Omit<UserMessage, 'type' | 'at'>;

/** Undefined if nothing is asked: then an interrupted turn continues. */
export async function readMessage(
  invocation: Invocation<'schema' | 'attach'>,
  app: WorkspaceApp,
  recordDecision: RecordDecision,
): Promise<Message | undefined> {
  const { options, directory, signal } = invocation;
  const text = await readQuestion(invocation.arguments, invocation.terminal);
  if (text === '') return undefined;
  const schema = await readSchema(directory, options.text('schema'));
  const sources = [...app.config.conversation.attachments, ...options.texts('attach')];
  const attachments = await attach(app.attachments(app, { directory, recordDecision }), sources, signal);
  return { text, ...(attachments.length > 0 && { attachments }), ...(schema && { schema }) };
}

async function readSchema(directory: string, file: string | undefined): Promise<JsonObject | undefined> {
  if (file === undefined) return undefined;
  const named = path.resolve(directory, file);
  const text = await readFile(named, 'utf8').catch((cause: unknown) => {
    throw new Fault('files/not-found', `There is no schema ${named}.`, { cause });
  });
  try {
    const schema = JSON.parse(text) as Json;
    if (isJsonObject(schema)) return schema;
  } catch (cause) {
    throw new Fault('cli/usage', `${named} is not JSON.`, { hint: `${(cause as Error).message}.`, cause });
  }
  throw new Fault('cli/usage', `${named} is not a JSON Schema object.`);
}

/** The words of the command line and the text on standard input; `-` reads also what is typed at a terminal. */
async function readQuestion(words: readonly string[], terminal: Invocation['terminal']): Promise<string> {
  const typed = words.filter((word) => word !== '-').join(' ');
  const piped = await terminal.readInput({ typed: words.includes('-') });
  return [typed, new TextDecoder().decode(piped).trimEnd()].filter((part) => part.trim() !== '').join('\n\n');
}
