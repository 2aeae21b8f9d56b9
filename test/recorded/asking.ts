import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ConversationEvent } from '../../src/domain/conversations/event.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { type Answers, type ReplayServer, replayServer } from './replay-server.ts';

/** Where each provider's recordings expect to be asked, and by which protocol. */
export const PROVIDERS = {
  anthropic: { kind: 'anthropic', base: '/v1' },
  openai: { kind: 'openai', base: '/v1' },
  google: { kind: 'google', base: '/v1beta' },
  ollama: { kind: 'ollama', base: '' },
  llamacpp: { kind: 'openai-compatible', base: '/v1' },
} as const;

export type Provider = keyof typeof PROVIDERS;

export interface Asking extends Sandbox {
  readonly server: ReplayServer;
  /** Those of the newest conversation. */
  events(): ConversationEvent[];
}

const TOPIC = '[kb.topic.project]\ntitle = "Project"\nsubjects = "kb"\n';

/**
 * A workspace with one topic, whose `test/…` models are a server that gives these answers in turn. `user` goes into
 * the operator's own config file.
 */
export async function asking(
  provider: Provider,
  answers: Answers,
  config = TOPIC,
  user = '',
): Promise<Asking> {
  const server = await replayServer(answers);
  const box = sandboxHere(config);
  box.write('kb/deploy.md', '# Deploy\n\nRun make deploy.\n');
  const { kind, base } = PROVIDERS[provider];
  mkdirSync(path.join(box.home, 'config'), { recursive: true });
  const lines = [
    '[assistant.request]',
    'max_retries = 2',
    '[assistant]',
    'model = "test/some-model"',
    '[providers.llm.test]',
    `kind = "${kind}"`,
    `base_url = "${server.url}${base}"`,
    'api_key_env = "TEST_KEY"',
  ];
  writeOwnConfig(box.home, `${lines.join('\n')}\n${user}`);
  const ken: Sandbox['ken'] = (words, options = {}) =>
    box.ken(words, {
      ...options,
      environment: { TEST_KEY: 'secret', ...options.environment },
    });
  return { ...box, ken, server, events: () => newestEvents(box.root) };
}

export function newestEvents(root: string): ConversationEvent[] {
  const home = path.join(root, '.ken/conversations');
  const newest = readdirSync(home).sort().at(-1) ?? '';
  const lines = readFileSync(path.join(home, newest, 'events.jsonl'), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ConversationEvent);
}
