import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Row, Side } from '../row.ts';

const CALLS = 100;
const AT_ONCE = 8;
/** Topics lie still nearly always; one that was changed a moment ago is listed anew at every call. */
const AT_REST_MS = 3_000;
/** Has a tool that does nothing beside ken's own. */
const SERVER = path.join(import.meta.dirname, '../../test/mcp/odd-server-child.ts');

export const rows: readonly Row[] = [
  {
    name: 'mcp-learn',
    subject: 'learn over MCP, eight calls at once: 100 times the median',
    floor: 'an empty tool of the same server',
    bar: 3,
    async prepare({ directory, home }) {
      writeTopic(directory);
      await setTimeout(AT_REST_MS);
      const client = await connected(directory, home);
      const learn = { topic: 'team', subjects: 'subject-3' };
      return {
        subject: calling(client, 'learn', learn),
        floor: calling(client, 'empty', {}),
        close: () => client.close(),
      };
    },
  },
];

async function connected(directory: string, home: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  const environment = { PATH: process.env.PATH ?? '', KEN_HOME: home };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [SERVER], cwd: directory, env: environment }),
  );
  return client;
}

/** Time of this many calls if each took the median. */
function calling(client: Client, name: string, given: Record<string, unknown>): Side {
  return async () => {
    const times: number[] = [];
    let left = CALLS;
    const one = async () => {
      while (left-- > 0) {
        const started = performance.now();
        const { isError } = await client.callTool({ name, arguments: given });
        times.push(performance.now() - started);
        if (isError) throw new Error(`${name} failed`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    times.sort((a, b) => a - b);
    return CALLS * (times[CALLS / 2] ?? 0);
  };
}

function writeTopic(directory: string): void {
  const root = path.join(directory, '.ken/kb/team');
  mkdirSync(root, { recursive: true });
  for (let at = 0; at < 40; at++) {
    const text = `# Subject ${at}\n\n${'A line about what the team knows.\n'.repeat(30)}`;
    writeFileSync(path.join(root, `subject-${at}.md`), text);
  }
  writeFileSync(path.join(directory, '.ken/config.toml'), '[kb.topic.team]\nsubjects = ".ken/kb/team"\n');
}
