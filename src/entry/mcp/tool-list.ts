import type { Tool as McpTool } from '@modelcontextprotocol/server';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Tool, ToolMaker } from '../../domain/tools/tool.ts';
import { functionTools } from '../../domain/turns/tools/assistant-tools.ts';
import { builtinTools } from '../../domain/turns/tools/builtin-tools.ts';
import { jobStatusTool } from './job-status-tool.ts';
import type { ServedWorkspace } from './served-workspace.ts';

/** Served by default, in the order that clients see. */
const USUAL_NAMES = [
  'search',
  'learn',
  'show',
  'knowledge_add',
  'knowledge_feedback',
  'knowledge_promote',
  'kb_propose',
  'reference_topic_list',
  'reference_topic_create',
];

/** `search` and `reference_topic_list` do the same; programs that were written for these names call them. */
const FURTHER_NAMES = [
  'reference_search',
  'reference_topic_search',
  'reference_topic_update',
  'knowledge_search',
];

/** The tools that this server offers. `app` is the caller's: its approver is asked. */
export async function toolsFor(
  served: ServedWorkspace,
  app: ServedWorkspace['app'],
  actor: string,
): Promise<readonly Tool[]> {
  const makers = await toolMakers(served, app, actor);
  return makers.flatMap(([, make]) => make() ?? []).filter(({ run }) => run !== 'deny');
}

/** With the age `any`, topics are as they were last read. */
export async function toolMakers(
  served: ServedWorkspace,
  app: ServedWorkspace['app'],
  actor: string,
  age?: 'any',
): Promise<readonly ToolMaker[]> {
  const builtins = builtinTools(app, {
    knowledge: served.knowledge,
    opened: await served.topics(age),
    actor: { name: actor, run: app.ids.ulid() },
  });
  const named = (names: readonly string[]) =>
    names.flatMap((wanted) =>
      [...builtins].flatMap(([name, { origin, make }]): ToolMaker[] =>
        origin === wanted ? [[name, make]] : [],
      ),
    );
  const functions = (await functionTools(app)).filter(({ name }) => !builtins.has(name));
  const made = (tools: readonly Tool[]) => tools.map((tool): ToolMaker => [tool.name, () => tool]);
  const own = [
    ...named(USUAL_NAMES),
    ...made([...functions, jobStatusTool(app)]),
    ...(served.allows === 'all' ? named(FURTHER_NAMES) : []),
  ].filter(([name]) => served.offers?.(name) ?? true);
  const makers = [...own, ...made(served.moreTools)];
  return served.allows === 'read' ? makers.map(readingOnly) : makers;
}

function readingOnly([name, make]: ToolMaker): ToolMaker {
  return [
    name,
    () => {
      const tool = make();
      return tool?.reach === 'read' ? tool : undefined;
    },
  ];
}

export function definitionOf(tool: Tool): McpTool {
  const { name, description, parameters, reach } = tool;
  return {
    name,
    title: titleOf(name),
    description: name === 'learn' ? `${LEARN_ANSWERS}\n\n${description}` : description,
    inputSchema: { ...portableSchema(parameters), type: 'object' },
    outputSchema: { ...portableSchema(outputSchema(tool)), type: 'object' },
    // No tool destroys anything: written data keeps its history, fetched data can be fetched again.
    ...(name in HINTS && { _meta: { 'anthropic/alwaysLoad': true, 'anthropic/searchHint': HINTS[name] } }),
    annotations: {
      readOnlyHint: reach === 'read',
      destructiveHint: reach === 'execute',
      openWorldHint: reach === 'network' || reach === 'execute',
    },
  };
}

const LEARN_ANSWERS =
  'Shows a whole guide to how we do things here. Read the one that covers your work before you begin: set up a ' +
  'development environment, project structure and architecture overview, coding style and naming, build, run tests, ' +
  'review code, deploy, release or publish a version, add a migration, restore a backup, runbook for a known problem, ' +
  'policy for data, logs and secrets, customers and suppliers, glossary.';

/** Claude Code hides the tools of servers until its model searches for them; these it shows, and finds by these words. */
const HINTS: Readonly<Record<string, string>> = {
  search:
    'project knowledge, docs, how-to, decisions, conventions, runbook, library API, earlier conversations',
  learn: 'project guides, runbooks, conventions, onboarding, overview by topic',
};

/** `knowledge_add` → `Knowledge add` */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function outputSchema({ output }: Tool): JsonObject {
  const own = isJsonObject(output?.properties) ? output.properties : {};
  return { type: 'object', properties: { ...STAND_INS, ...own }, additionalProperties: false };
}

const STAND_INS: JsonObject = {
  text: {
    type: 'string',
    description: 'What a reader needs beside the data; the whole answer where it is text alone or was cut.',
  },
  job: {
    type: 'object',
    description: 'The call goes on as this job; job_status tells what comes of it.',
    properties: { id: { type: 'string' }, status: { type: 'string' } },
    required: ['id', 'status'],
    additionalProperties: false,
  },
};

/** Rewrites a schema for clients that support one `type` only: a list of types becomes `anyOf`. */
export function portableSchema(schema: JsonObject): JsonObject {
  const { type, items, ...rest } = mapped(schema);
  if (!isJsonList(type))
    return { ...(type !== undefined && { type }), ...rest, ...(items !== undefined && { items }) };
  const branches = type.map((each) =>
    each === 'array' && items !== undefined ? { type: each, items } : { type: each },
  );
  return { ...rest, anyOf: branches };
}

function mapped(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'properties' ? eachMember(value) : inner(key, value),
    ]),
  );
}

function eachMember(members: Json): Json {
  if (!isJsonObject(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, inner('items', schema)]));
}

const HOLDS_A_SCHEMA = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

function inner(key: string, value: Json): Json {
  if (!HOLDS_A_SCHEMA.includes(key)) return value;
  if (isJsonList(value)) return value.map((each) => inner(key, each));
  return isJsonObject(value) ? portableSchema(value) : value;
}
