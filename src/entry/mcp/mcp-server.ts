import {
  type McpRequestContext,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { VERSION } from '../../base/package-files.ts';
import { topicMenuLine } from '../../domain/knowledge-base/knowledge-section.ts';
import { hasListedSubjects } from '../../domain/knowledge-base/open-topics.ts';
import { briefText } from '../../domain/turns/assistant-brief.ts';
import { approvedRules } from '../../domain/turns/rules-section.ts';
import { callTool } from './call-tool.ts';
import { callerOf } from './caller.ts';
import { complete } from './completions.ts';
import { CARDS, SKILLS, TASKS } from './extensions/extension-names.ts';
import { addSkills } from './extensions/skills.ts';
import { addTasks } from './extensions/tasks.ts';
import { pageOf, refuseCursor } from './page.ts';
import { plainMistake, withPlainErrors } from './plain-errors.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import {
  isForeignUri,
  listResources,
  RESOURCE_TEMPLATES,
  readAnyResource,
  requireResourceUri,
} from './resources.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { MOST_FOLLOWED } from './serving/change-watch.ts';
import { askForRoots } from './serving/client-roots.ts';
import { listTools, type McpContext, withCardResource } from './serving/mcp-context.ts';

/** The factory runs for every connection on standard input and for every request over HTTP. */
export function mcpServers(context: McpContext): McpServerFactory {
  return async ({ era }) => {
    const server = new Server(
      { name: 'ken', title: 'ken', version: VERSION },
      { capabilities: capabilities(era), instructions: await context.serving.use(instructionsFor) },
    );
    const connection: Connection = {
      ...context,
      server,
      use: (work) =>
        context.serving.use((served) => work(era === 'legacy' ? withClientLog(served, server) : served)),
    };
    server.onerror = ({ message }) => void connection.use(async (served) => served.note(message));
    const connect = server.connect.bind(server);
    server.connect = (transport) => connect(withPlainErrors(transport, era));
    addTools(connection);
    addResources(connection);
    addPrompts(connection);
    addSkills({ ...connection, era });
    if (era === 'modern') addTasks(connection);
    server.setRequestHandler('completion/complete', (request) =>
      connection.use((served) => complete(served, request)),
    );
    if (era === 'legacy') followRoots(connection);
    // Over HTTP the newest revision has a server for each request; the handler tells of changes.
    if (era === 'legacy' || context.isOnePipe) tellChanges(connection, era);
    return server;
  };
}

interface Connection extends McpContext {
  readonly server: Server;
  use<Result>(work: (served: ServedWorkspace) => Promise<Result>): Promise<Result>;
}

function capabilities(era: McpRequestContext['era']) {
  return {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    extensions: { [SKILLS]: {}, [CARDS]: {}, ...(era === 'modern' && { [TASKS]: {} }) },
    // The newest revision tells servers to log to standard error only.
    ...(era === 'legacy' && { logging: {} }),
  };
}

async function instructionsFor({ app, topics }: ServedWorkspace): Promise<string> {
  const pending = await app.approvals.list(
    { statuses: ['pending'], workspace: app.workspace.root },
    app.clock.now(),
  );
  const menu = (await topics()).filter(hasListedSubjects).map(({ topic }) => topicMenuLine(topic));
  return briefText({ rules: await approvedRules(app), waiting: pending.length, menu });
}

/** Sends ken's errors and the client's own mistakes to the client's log too. */
function withClientLog(served: ServedWorkspace, server: Server): ServedWorkspace {
  const log = (level: 'error' | 'debug', data: string) =>
    // The client may be gone.
    void server.sendLoggingMessage({ level, logger: 'ken', data }).catch(() => {});
  return {
    ...served,
    report(error) {
      served.report(error);
      log('error', error instanceof Error ? error.message : String(error));
    },
    note(text) {
      served.note(text);
      log('debug', plainMistake(text));
    },
  };
}

function addTools(connection: Connection): void {
  const { server, use, watch } = connection;
  server.setRequestHandler('tools/list', async ({ params }, context) => {
    refuseCursor(params?.cursor);
    const { name, hasCards } = callerOf(server, context);
    const tools = await use((served) => listTools(served, name));
    watch.given('tools', tools);
    return { tools: hasCards ? tools.map(withCardResource) : tools };
  });
  server.setRequestHandler(
    'tools/call',
    async (request, context) =>
      rootsFirst(connection, context) ?? use((served) => callTool(served, server, request, context)),
  );
}

/** In the newest revision a client says in the repeated call which directories it has open. */
function rootsFirst({ server, roots, serving, watch }: Connection, context: ServerContext) {
  if (!roots || !context.mcpReq.envelope) return undefined;
  const { hasRoots, responses } = callerOf(server, context);
  const found = roots.answered(responses);
  if (found) {
    serving.openFirst(Promise.resolve(found));
    void watch.look();
  }
  return roots.request(hasRoots);
}

function addResources(connection: Connection): void {
  const { server, use, watch } = connection;
  server.setRequestHandler('resources/list', async ({ params }) => {
    const all = await use((served) => listResources(served));
    watch.given('resources', all);
    const { items, ...rest } = pageOf(all, ({ uri }) => uri, params?.cursor);
    return { resources: items, ...rest };
  });
  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    refuseCursor(params?.cursor);
    return { resourceTemplates: RESOURCE_TEMPLATES };
  });
  server.setRequestHandler(
    'resources/read',
    async ({ params }, context) =>
      rootsFirst(connection, context) ?? use((served) => readAnyResource(served, params.uri)),
  );
}

function addPrompts({ server, use, watch }: Connection): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    const all = await use((served) => listPrompts(served));
    watch.given('prompts', all);
    const { items, ...rest } = pageOf(all, ({ name }) => name, params?.cursor);
    return { prompts: items, ...rest };
  });
  server.setRequestHandler('prompts/get', ({ params }) =>
    use((served) => getPrompt(served, params.name, params.arguments ?? {})),
  );
}

/** Clients of 2025-11-25 are asked once they are ready, and again when they say that their roots have changed. */
function followRoots({ server, serving, roots, watch, isOnePipe }: Connection): void {
  if (!roots || !isOnePipe) return;
  const ask = () => {
    if (!server.getClientCapabilities()?.roots) return;
    serving.openFirst(askForRoots(server));
    void watch.look();
  };
  server.oninitialized = ask;
  server.setNotificationHandler('notifications/roots/list_changed', ask);
}

function tellChanges({ server, watch }: Connection, era: McpRequestContext['era']): void {
  const followed = new Set<string>();
  // The client may be gone.
  const send = (sent: Promise<void>) => void sent.catch(() => {});
  const stop = watch.listen({
    changed(list) {
      if (list === 'tools') send(server.sendToolListChanged());
      else if (list === 'prompts') send(server.sendPromptListChanged());
      else send(server.sendResourceListChanged());
    },
    resourceUpdated(uri) {
      // In the newest revision the SDK knows who follows what.
      if (era === 'modern' || followed.has(uri)) send(server.sendResourceUpdated({ uri }));
    },
  });
  const unfollow = (uri: string) => {
    if (followed.delete(uri)) watch.unfollow(uri);
  };
  server.onclose = () => {
    stop();
    for (const uri of followed) unfollow(uri);
  };
  if (era === 'modern') return;
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (isForeignUri(uri)) return {};
    requireResourceUri(uri);
    if (!followed.has(uri) && !(await watch.follow(uri))) throw tooMany();
    followed.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    unfollow(params.uri);
    return {};
  });
}

function tooMany(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `At most ${MOST_FOLLOWED} resources can be subscribed to at once.`,
  );
}
