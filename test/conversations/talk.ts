import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { replayServer } from '../recorded/replay-server.ts';

const CHUNK = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const ANSWER = [
  JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: null }] }),
  JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  '[DONE]',
];
const BODY = ANSWER.map((data) => `data: ${data}\n\n`).join('');
const MOST_ANSWERS = 50;

export const ASKED_OK = { code: 0, stdout: 'ok\n', stderr: '' };

export interface Talk extends Sandbox {
  /** `.ken/conversations` of the workspace; a part of its name each. */
  conversations(): string[];
  /** A file of the only conversation there is, or of the one named. */
  file(name: string, id?: string): string;
  /** The labels that `metadata.json` holds. */
  labels(id?: string): Record<string, string>;
}

/** A workspace in a terminal of its own, whose model on loopback answers "ok" to everything. */
export async function talk(config: { workspace?: string; user?: string } = {}): Promise<Talk> {
  const { url } = await replayServer(Array.from({ length: MOST_ANSWERS }, () => ({ body: BODY })));
  const place = sandboxHere(config.workspace ?? '');
  mkdirSync(path.join(place.home, 'config'));
  const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${url}/v1" }`;
  const user = `assistant.model = "loop/m"\n${provider}\n${config.user ?? ''}`;
  writeOwnConfig(place.home, user);
  const conversations = () => namesIn(path.join(place.root, '.ken/conversations'));
  const file = (name: string, id = conversations().join()) =>
    readFileSync(path.join(place.root, '.ken/conversations', id, name), 'utf8');
  return {
    ...place,
    conversations,
    file,
    labels: (id) => JSON.parse(file('metadata.json', id)).labels ?? {},
  };
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
