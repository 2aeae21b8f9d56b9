/** ken's tools as a client is shown them. */

import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { readResultTool } from '../../domain/tools/limit-result.ts';
import type { Tool } from '../../domain/tools/tool.ts';
import { builtinTools } from '../../domain/turns/builtin-tools.ts';
import { jobStatusTool } from './job-status-tool.ts';
import { portableSchema } from './portable-schema.ts';
import type { Served } from './served.ts';
import { RESULT_LIMIT_BYTES } from './tool-result.ts';

/** What is served of the builtin tools, in the order in which clients see them. */
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

/** With the line that says how to read on, it is still no longer than any other result. */
const READ_ON_BYTES = RESULT_LIMIT_BYTES - 512;

/** Those that this server lets clients call. `app` is the caller's: its approver is the one that is asked. */
export async function toolsFor(
  served: Served,
  app: Served['app'],
  actor: string,
  age?: 'any',
): Promise<readonly Tool[]> {
  const builtins = builtinTools(app, {
    knowledge: served.knowledge,
    opened: await served.topics(age),
    actor: { name: actor, run: app.ids.ulid() },
  });
  const own = SERVED_NAMES.flatMap((name) => builtins.get(name) ?? []);
  const tools = [...own, jobStatusTool(app), readResultTool(app, READ_ON_BYTES), ...served.moreTools];
  return tools.filter(({ reach, run }) => run !== 'deny' && (served.allows === 'all' || reach === 'read'));
}

export function definitionOf(tool: Tool): McpTool {
  const { name, description, parameters, reach } = tool;
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: { ...portableSchema(parameters), type: 'object' },
    outputSchema: { ...portableSchema(outputSchema(tool)), type: 'object' },
    // Nothing is lost by any of them: what is written keeps its history, what is fetched can be fetched again.
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

/** The tool's own members, and those that stand in for them. */
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
