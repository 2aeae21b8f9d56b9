/** MCP for the assistants of a team. No request here can approve or administer. */

import {
  bearerAuthChallengeResponse,
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
} from '@modelcontextprotocol/server';
import type { WorkspaceApp } from '../../app.ts';
import { ledgerTools } from '../../domain/ledger/ledger-tools.ts';
import { isCitationUri } from '../../domain/search/citations/citation.ts';
import { isTokenScope, type Principal, type Scope } from '../../domain/team/access.ts';
import { proposingTool } from '../../domain/team/propose-entry.ts';
import { toolByVisibility } from '../../domain/team/visibility/visibility-tool.ts';
import type { Tool } from '../../domain/tools/tool.ts';
import { mcpServers } from '../mcp/mcp-server.ts';
import { type ServedWorkspace, servedWorkspace } from '../mcp/served-workspace.ts';
import { mcpContext } from '../mcp/serving/mcp-context.ts';
import { bearerPrincipal, enteredWorkspace, metadataUrl } from './authenticate.ts';
import type { RequestLimits } from './limits.ts';
import { rightsFor } from './rights.ts';
import { currentRequest, MCP_PATH, recordAct, type Serving } from './serving.ts';

/** Tools that touch the team's store alone. What they fetch waits for a person. */
const TOOLS: Readonly<Record<string, readonly Scope[]>> = {
  search: ['read'],
  learn: ['read'],
  show: ['read'],
  knowledge_search: ['read'],
  reference_topic_list: ['read'],
  reference_topic_search: ['read'],
  reference_search: ['read'],
  reference_topic_create: ['propose', 'write'],
  job_status: ['read'],
  knowledge_add: ['write'],
  knowledge_feedback: ['propose', 'write'],
  knowledge_promote: ['propose', 'write'],
};

type Fetch = (request: Request) => Promise<Response>;

/** Most assistants whose handlers are cached. */
const MOST_KEPT = 200;

export function teamMcp(serving: Serving, limits: RequestLimits): Fetch {
  const kept = new Map<string, Promise<Fetch>>();

  async function handlerFor(
    principal: Principal,
    workspace: string,
    scopes: readonly Scope[],
  ): Promise<Fetch> {
    const { person, id } = principal;
    const caller = { person, scopes: scopes.filter(isTokenScope) };
    const rights = rightsFor(serving, caller.scopes);
    const app = await serving.team.appFor({ workspace, person, rights });
    // A handler offers the topics that there were when it was made.
    const key = JSON.stringify([id, person, workspace, scopes, app.config.kb.topic]);
    const known = kept.get(key) ?? newHandler(serving, app, caller);
    kept.delete(key);
    kept.set(key, known);
    known.catch(() => kept.delete(key));
    const [oldest] = kept.size > MOST_KEPT ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return known;
  }

  return async (request) => {
    const current = currentRequest.getStore();
    let principal: Principal;
    try {
      principal = await bearerPrincipal(serving, request.headers.get('authorization') ?? undefined);
    } catch (error) {
      if (!limits.mayFail(current?.origin ?? '')) return limits.refusal();
      await recordAct(serving, 'mcp sign-in', 'denied');
      return bearerAuthChallengeResponse(error, { resourceMetadataUrl: metadataUrl(serving) });
    }
    if (current) current.principal = principal;
    if (!limits.mayAsk(principal.id)) return limits.refusal();
    const asked = workspaceIn(new URL(request.url).pathname);
    if (current && asked !== undefined) current.workspace = asked;
    const entered = await enteredWorkspace(serving, principal, asked);
    if (!entered) {
      await recordAct(serving, 'mcp workspace', 'denied');
      return Response.json({ error: 'There is no such workspace, or no right to it.' }, { status: 404 });
    }
    if (current) current.workspace = entered.workspace;
    const handler = await handlerFor(principal, entered.workspace, entered.scopes);
    return handler(request);
  };
}

function workspaceIn(pathname: string): string | undefined {
  const rest = pathname.slice(MCP_PATH.length + 1);
  if (rest === '') return undefined;
  try {
    return decodeURIComponent(rest);
  } catch {
    return '';
  }
}

/** Serves both revisions without sessions, so that any process can answer. */
async function newHandler(serving: Serving, app: WorkspaceApp, caller: Caller): Promise<Fetch> {
  const served = servedFor(serving, app, caller);
  const context = mcpContext({
    serving: { use: (work) => work(served), openFirst() {}, refresh: async () => {}, close: async () => {} },
    asksForRoots: false,
    isOnePipe: false,
    report: serving.report,
  });
  const factory = mcpServers(context);
  const onError = ({ message }: Error) => served.note(message);
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror: onError });
  const legacy = legacyStatelessFallback(factory, onError);
  return async (request) => ((await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request));
}

interface Caller {
  readonly person: string;
  readonly scopes: readonly Scope[];
}

function servedFor(serving: Serving, app: WorkspaceApp, { person, scopes }: Caller): ServedWorkspace {
  const isOffered = (name: string) => TOOLS[name]?.some((scope) => scopes.includes(scope)) ?? false;
  return servedWorkspace(app, {
    allows: 'all',
    moreTools: addingTools(app, { person, scopes }),
    offers: isOffered,
    person,
    decidesAt: new URL('/approvals', serving.publicUrl).href,
    report: serving.report,
    note: () => {},
  });
}

const ADD = 'knowledge_add';

/** In place of ken's own where the caller may not write: it proposes what the workspace is to see. */
function addingTools(app: WorkspaceApp, { person, scopes }: Caller): readonly Tool[] {
  if (scopes.includes('write') || !scopes.includes('propose')) return [];
  const made = new Map(ledgerTools({ ...app, isCitationUri }, { name: person, run: '' })).get(ADD)?.();
  if (!made) throw new Error('ken has no tool to add an entry.');
  const proposing = proposingTool(made, app, { workspace: app.workspace.root, actor: person });
  return [toolByVisibility(proposing, made)];
}
