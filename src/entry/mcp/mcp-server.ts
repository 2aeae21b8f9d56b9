/** One server, whichever revision of the protocol its client speaks. */

import { type McpServerFactory, Server } from '@modelcontextprotocol/server';
import { VERSION } from '../../base/version.ts';
import { knowledgeSection } from '../../domain/knowledge-base/knowledge-section.ts';
import { preload } from '../../domain/knowledge-base/preload.ts';
import { callTool } from './call-tool.ts';
import { callerOf } from './caller.ts';
import { complete } from './completions.ts';
import { pageOf } from './page.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts';
import type { Served } from './served.ts';
import { definitionOf, toolsFor } from './tool-list.ts';

/** Called for every connection on standard input, and for every request over HTTP. */
export function mcpServers(served: Served): McpServerFactory {
  return async () => {
    const instructions = await instructionsOf(served);
    const server = new Server(
      { name: 'ken', title: 'ken', version: VERSION },
      {
        capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
        ...(instructions !== undefined && { instructions }),
      },
    );
    server.onerror = ({ message }) => served.note(message);
    addTools(served, server);
    addResources(served, server);
    addPrompts(served, server);
    server.setRequestHandler('completion/complete', (request) => complete(served, request));
    return server;
  };
}

async function instructionsOf({ topics, knowledge }: Served): Promise<string | undefined> {
  return knowledgeSection(preload(await topics(), knowledge));
}

function addTools(served: Served, server: Server): void {
  server.setRequestHandler('tools/list', async (_, context) => {
    const tools = await toolsFor(served, served.app, callerOf(server, context).name);
    return { tools: tools.map(definitionOf) };
  });
  server.setRequestHandler('tools/call', (request, context) => callTool(served, server, request, context));
}

function addResources(served: Served, server: Server): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { items, ...rest } = pageOf(await listResources(served), ({ uri }) => uri, params?.cursor);
    return { resources: items, ...rest };
  });
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(served, params.uri));
}

function addPrompts(served: Served, server: Server): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, ...rest } = pageOf(await listPrompts(served), ({ name }) => name, params?.cursor);
    return { prompts: items, ...rest };
  });
  server.setRequestHandler('prompts/get', ({ params }) =>
    getPrompt(served, params.name, params.arguments ?? {}),
  );
}
