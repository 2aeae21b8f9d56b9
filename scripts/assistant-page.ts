/** docs/what-your-assistant-sees.md, made of what `ken mcp` really sends to a client. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { recordings } from '../test/clients/recordings.ts';
import { SCENARIOS } from '../test/clients/scenarios.ts';

const root = path.join(import.meta.dirname, '..');

type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** `dist/` has to be fresh. */
export async function assistantPage(): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), 'ken-page-'));
  const workspace = path.join(directory, 'pontoon');
  cpSync(path.join(root, 'examples/workspace'), workspace, { recursive: true });
  const client = new Client({ name: 'page', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [path.join(root, 'bin/ken.cjs'), 'mcp'],
        cwd: workspace,
        env: { PATH: process.env.PATH ?? '', KEN_HOME: path.join(directory, 'home') },
      }),
    );
    return await pageOf(client);
  } finally {
    await client.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function pageOf(client: Client): Promise<string> {
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { prompts } = await client.listPrompts();
  return [
    HEADING,
    `## Instructions\n\n${INSTRUCTIONS}\n\n\`\`\`text\n${client.getInstructions()}\n\`\`\`\n`,
    `## Tools\n\n${TOOLS}\n`,
    ...tools.map(toolSection),
    `## Resources\n\n${RESOURCES}\n`,
    table(
      ['address', 'what it is', ''],
      resourceTemplates.map(({ uriTemplate, title, description }) => [
        `\`${uriTemplate}\``,
        title ?? '',
        description ?? '',
      ]),
    ),
    `In the example ${resources.length} are listed, \`${resources[0]?.uri}\` first.\n`,
    `## Prompts\n\n${PROMPTS}\n`,
    table(
      ['prompt', 'what it is', 'arguments'],
      prompts.map(({ name, description, arguments: given = [] }) => [
        `\`${name}\``,
        description ?? '',
        given.map((each) => `\`${each.name}\``).join(', '),
      ]),
    ),
    `## What it costs\n\n${COSTS}\n`,
    costTable(),
  ].join('\n');
}

function costTable(): string {
  const all = recordings();
  return table(
    ['answer', ...all.map(({ npm }) => npm.replace(/^@[^/]+\//, '').replace('@', ' '))],
    SCENARIOS.map(({ name }) => [
      name,
      ...all.map(({ results }) => `${results.find(({ scenario }) => scenario === name)?.tokens ?? ''}`),
    ]),
  );
}

const COSTS = `Estimated tokens that the model of a real client reads, what the client adds included: \`npm run test:clients\` starts each
of them with a stand-in for its model and records it. Claude Code and Codex hand on the data of an answer, Gemini CLI and
opencode its text, Qwen Code, Copilot CLI and Cline both. Qwen Code and Copilot CLI keep a long answer in a file and show its
beginning, Cline leaves out its middle. All but Cline and Copilot CLI hand on the instructions. These two were connected by
\`ken setup\` too, and offer their models the ten tools.`;

const HEADING = `# What your assistant sees

After this page you know every word that ken sends to an assistant.

This is what \`ken mcp\` sends to a client that is connected to the workspace in \`examples/workspace/\`: \`npm run docs\` asks
it and writes this page, and a test compares them. How to connect a client, what waits for you and what long work does
is in [ken for MCP clients](mcp.md).
`;

const INSTRUCTIONS = `The menu of the knowledge base, one line for each topic. Nothing is preloaded, whatever \`learned\` says: clients cut long
instructions short. What would be preloaded in \`ken query\` is there to be learned.`;

const TOOLS = `In this order. \`ken mcp --tools read\` serves only those that read. Parameters are strict: a name that a tool does not know
is refused with the one that was meant. Each answer comes as text for a reader and as data with the members named here;
an answer over 32 KiB is cut and says how to read on with \`show\`, and a call that takes long is answered with a
\`job\`.`;

const RESOURCES = `Every citation can be read by its address. Topics, subjects and reference topics are listed as well, a hundred at a time;
what is hidden or disabled is not.`;

const PROMPTS = 'For a person to choose: one for each topic, and a skill that ships with ken.';

function toolSection({ name, description = '', inputSchema, outputSchema, annotations }: Tool): string {
  const required = inputSchema.required ?? [];
  const rows = Object.entries(inputSchema.properties ?? {}).map(([key, schema]) => [
    `\`${key}\``,
    required.includes(key) ? 'required' : '',
    String(Reflect.get(Object(schema), 'description') ?? ''),
  ]);
  const answers = Object.keys(outputSchema?.properties ?? {}).filter((key) => !STAND_INS.includes(key));
  return [
    `### ${name}\n`,
    `${description.split('\n\n').map(quoted).join('\n>\n')}\n`,
    `${reachOf(annotations)}${answers.length > 0 ? ` Answers with ${answers.map((key) => `\`${key}\``).join(', ')}.` : ''}\n`,
    table(['parameter', '', 'what it is'], rows),
  ].join('\n');
}

const STAND_INS = ['text', 'job'];

function quoted(paragraph: string): string {
  return paragraph
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function reachOf(annotations: Tool['annotations']): string {
  if (annotations?.readOnlyHint) return 'Only reads.';
  return annotations?.openWorldHint ? 'Writes, and reaches the network.' : 'Writes; nothing is lost by it.';
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), ''].join('\n');
}
