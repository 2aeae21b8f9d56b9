import type { Tool as McpTool } from '@modelcontextprotocol/server';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readResultTool } from '../../domain/tools/limit-result.ts';
import type { Tool, ToolMaker } from '../../domain/tools/tool.ts';
import { builtinTools } from '../../domain/turns/tools/builtin-tools.ts';
import { jobStatusTool } from './job-status-tool.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { RESULT_LIMIT_BYTES } from './tool-result.ts';

/** In the order that clients see. */
const SERVED_NAMES = [
  'search',
  'learn',
  'reference_search',
  'reference_topic_search',
  'reference_topic_list',
  'reference_topic_create',
  'reference_topic_update',
  'knowledge_search',
  'knowledge_add',
  'knowledge_feedback',
  'knowledge_promote',
];

/** Leaves room for the line that says how to read on. */
const READ_ON_BYTES = RESULT_LIMIT_BYTES - 512;

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
  const own = SERVED_NAMES.flatMap((served) =>
    [...builtins].flatMap(([name, { origin, make }]): ToolMaker[] =>
      origin === served ? [[name, make]] : [],
    ),
  );
  const others = [jobStatusTool(app), readResultTool(app, READ_ON_BYTES), ...served.moreTools];
  const makers = [...own, ...others.map((tool): ToolMaker => [tool.name, () => tool])];
  return served.allows === 'all' ? makers : makers.map(readingOnly);
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
    description,
    inputSchema: { ...portableSchema(parameters), type: 'object' },
    outputSchema: { ...portableSchema(outputSchema(tool)), type: 'object' },
    // No tool destroys anything: written data keeps its history, fetched data can be fetched again.
    annotations: {
      readOnlyHint: reach === 'read',
      destructiveHint: reach === 'execute',
      openWorldHint: reach === 'network' || reach === 'execute',
    },
  };
}

/** `knowledge_add` → `Knowledge add` */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function outputSchema({ output }: Tool): JsonObject {
  const own = isJsonObject(output?.properties) ? output.properties : {};
  return { type: 'object', properties: { ...own, ...STAND_INS }, additionalProperties: false };
}

const STAND_INS: JsonObject = {
  text: {
    type: 'string',
    description: 'The answer, where it is text alone or too long to be given as data.',
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
