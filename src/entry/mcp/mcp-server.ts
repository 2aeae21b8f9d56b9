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
  return async ({ era }) => {
    const instructions = await instructionsOf(served);
    const server = new Server(
      { name: 'ken', title: 'ken', version: VERSION },
      {
        // The newest revision tells servers to log to standard error alone.
        capabilities: {
          tools: {},
          resources: {},
          prompts: {},
          completions: {},
          ...(era === 'legacy' && { logging: {} }),
        },
        ...(instructions !== undefined && { instructions }),
      },
    );
    const heard = era === 'legacy' ? alsoLogged(served, server) : served;
    server.onerror = ({ message }) => heard.note(message);
    addTools(heard, server);
    addResources(heard, server);
    addPrompts(heard, server);
    server.setRequestHandler('completion/complete', (request) => complete(heard, request));
    return server;
  };
}

/** A client that asks for it hears of ken's mistakes, and of its own. */
function alsoLogged(served: Served, server: Server): Served {
  const log = (level: 'error' | 'debug', data: string) =>
    // A client that is gone needs no log.
    void server.sendLoggingMessage({ level, logger: 'ken', data }).catch(() => {});
  return {
    ...served,
    report(error) {
      served.report(error);
      log('error', error instanceof Error ? error.message : String(error));
    },
    note(text) {
      served.note(text);
      log('debug', text);
    },
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
