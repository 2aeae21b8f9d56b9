/** The settings of a running `ken serve`, and one request to it. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { BlockList } from 'node:net';
import type { App, TeamServer } from '../../app.ts';
import type { Principal } from '../../domain/team/access.ts';
import type { AuditRecord } from '../../domain/team/access-store.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Metrics } from './metrics.ts';

export interface Serving {
  readonly app: App;
  readonly team: TeamServer;
  /** The public origin of the server. */
  readonly publicUrl: URL;
  /** Addresses of trusted proxies, whose headers count. */
  readonly proxies: BlockList | undefined;
  readonly provider: IdentityProvider | undefined;
  readonly metrics: Metrics;
  /** Most requests of one token or session in a minute. */
  readonly requestsPerMinute: number;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
  report(error: unknown): void;
}

/** The current request, for all work that it causes. */
export interface Request {
  /** The address of the client. */
  readonly origin: string;
  principal?: Principal;
  workspace?: string;
}

export const currentRequest = new AsyncLocalStorage<Request>();

/** Writes to the audit log. A failure is only reported, as the change has already happened. */
export async function recordAct(
  { team, app, metrics, report }: Pick<Serving, 'team' | 'app' | 'metrics' | 'report'>,
  act: string,
  outcome: AuditRecord['outcome'],
): Promise<void> {
  const request = currentRequest.getStore();
  const { principal } = request ?? {};
  if (outcome === 'denied') metrics.count('ken_denied_total');
  try {
    await team.access.record({
      at: app.clock.now(),
      person: principal?.person ?? '',
      channel: principal?.channel ?? '',
      via: principal?.id ?? '',
      origin: request?.origin ?? '',
      workspace: request?.workspace ?? '',
      act: act.slice(0, 200),
      outcome,
    });
  } catch (error) {
    report(error);
  }
}

/** The resource of tokens (RFC 8707). */
export function resourceOf({ publicUrl }: Pick<Serving, 'publicUrl'>): URL {
  return new URL(MCP_PATH, publicUrl);
}

export const MCP_PATH = '/mcp';
export const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;
