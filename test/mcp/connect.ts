/** Clients from the official SDK against the real binary. */

import path from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';

export const LAUNCHER = path.join(import.meta.dirname, '../../bin/ken.mjs');
/** The same server with tools that misbehave beside ken's own. */
export const ODD_SERVER = path.join(import.meta.dirname, 'odd-server-child.ts');

/** Both revisions that ken speaks, as a client chooses between them. */
export const ERAS = [
  { revision: '2025-11-25', mode: 'legacy' },
  { revision: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const;

export type Era = (typeof ERAS)[number];

export interface ConnectOptions {
  readonly era?: Era;
  readonly name?: string;
  /** After `ken`; `mcp` if absent. */
  readonly words?: readonly string[];
  readonly program?: string;
  readonly capabilities?: ClientOptions['capabilities'];
  prepare?(client: Client): void;
}

export interface Connected {
  readonly client: Client;
  readonly pid: number;
  /** What the server printed on standard error so far. */
  said(): string;
}

export async function connect(place: Sandbox, options: ConnectOptions = {}): Promise<Connected> {
  const { era = ERAS[1], name = 'test', words = ['mcp'], program = LAUNCHER } = options;
  const client = new Client(
    { name, version: '1.0.0' },
    { versionNegotiation: { mode: era.mode }, capabilities: options.capabilities ?? {} },
  );
  options.prepare?.(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...words],
    cwd: place.root,
    env: serverEnvironment(place),
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0, said: () => said };
}

export function serverEnvironment({ home }: Sandbox): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, KEN_HOME: home, LANG: 'C.UTF-8', TZ: 'UTC' };
}

interface TextAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export function textOf(answer: TextAnswer): string {
  return answer.content.map(({ text }) => text ?? '').join('\n');
}
