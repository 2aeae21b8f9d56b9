import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { childProgram } from '../child-program.ts';
import type { Sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { toml, toolSandbox } from './tool-sandbox.ts';

const require = createRequire(import.meta.url);

/** The server that does as its directory and its manner say. */
export const SCRIPTED = childProgram('tools/servers/scripted-server');

export const OFFICIAL = {
  everything: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
};

/** The operator's own configuration for an unattended machine. */
export const ALLOW = '[approvals]\nnoninteractive = "allow"\n';

/** How the configuration names an environment variable. */
export function variable(name: string): string {
  return `\${${name}}`;
}

/** A server that is this script, run by this Node. */
export function serverConfig(name: string, words: readonly string[], more = ''): string {
  return `[providers.mcp.${name}]\ncommand = ${toml(process.execPath)}\nargs = ${JSON.stringify(words)}\n${more}\n`;
}

export function official(name: keyof typeof OFFICIAL, words: readonly string[], more = ''): string {
  return serverConfig(name, [OFFICIAL[name], ...words], more);
}

export function sdkServer(name: string, words: readonly string[]): string {
  return serverConfig(name, [childProgram('tools/servers/sdk-server'), ...words]);
}

export function toolConfig(name: string, source: string, more = ''): string {
  return `[conversation.tools.${name}]\nsource = ${toml(source)}\n${more}\n`;
}

export interface ScriptedPlace extends Sandbox {
  /** Requests to the server, line by line. */
  log(): string[];
  /** Changes what it offers from now on. */
  offer(tools: readonly object[]): void;
}

/** A workspace with the server `scripted` and its tools, which the operator configured themselves. */
export function scriptedPlace({
  manner = 'polite',
  tools = ['echo'],
  server = '',
  tool = '',
  own = '',
}: {
  manner?: string;
  tools?: readonly string[];
  server?: string;
  tool?: string;
  own?: string;
} = {}): ScriptedPlace {
  const place = toolSandbox('');
  const directory = path.join(place.home, 'server');
  mkdirSync(directory);
  const config = [
    own,
    serverConfig('scripted', [SCRIPTED, directory, manner], server),
    ...tools.map((name) => toolConfig(name, `mcp.scripted.${name}`, `run = "unattended"\n${tool}`)),
  ];
  writeOwnConfig(place.home, config.join('\n'));
  const file = path.join(directory, 'log');
  return {
    ...place,
    log: () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []),
    offer: (offered) => writeFileSync(path.join(directory, 'tools.json'), JSON.stringify(offered)),
  };
}

/** Starts the HTTP server of the SDK and answers its address. */
export async function httpServer(words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [childProgram('tools/servers/sdk-server'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [address] = await once(createInterface({ input: child.stdout }), 'line');
  return address;
}

/** The official everything server at an address; and all that it has said. */
export async function everythingOverHttp(): Promise<{ url: string; said(): string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [OFFICIAL.everything, 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (text) => {
      said += text;
      if (said.includes('listening')) resolve();
    });
  });
  return { url: `http://127.0.0.1:${port}/mcp`, said: () => said };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether a process is there and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(line.slice(line.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
