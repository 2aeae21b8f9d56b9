/** The parts that the routes of the team's page share. */

import type { Context, Hono } from 'hono';
import type { WorkspaceApp } from '../../app.ts';
import type { Principal, Scope } from '../../domain/team/access.ts';
import type { Session } from '../../domain/team/access-store.ts';
import type { Assets } from '../web/assets.ts';
import type { RequestLimits } from './limits.ts';
import type { Serving } from './serving.ts';

/** The prefix makes browsers accept it from this very host over https alone. */
export const COOKIE = '__Host-ken';

/** A signed-in person in one workspace. */
export interface Entry {
  readonly session: Session;
  readonly principal: Principal;
  readonly workspace: string;
  readonly scopes: readonly Scope[];
  readonly app: WorkspaceApp;
}

export type TeamHono = Hono<{ Variables: { nonce: string; entry: Entry } }>;
export type TeamContext = Context<{ Variables: { nonce: string; entry: Entry } }>;

export interface TeamPages {
  readonly serving: Serving;
  readonly limits: RequestLimits;
  readonly assets: Assets;
  readonly events: TeamEvents;
}

export interface TeamEvents {
  /** Resolves at the next change of the workspace, or after `ms`. */
  next(workspace: string, ms: number): Promise<void>;
  close(): Promise<void>;
}

export function bareFrame({ assets }: Pick<TeamPages, 'assets'>, context: TeamContext, title: string) {
  return { title, nonce: context.get('nonce'), assets: assetPaths(assets) };
}

export function assetPaths({ style, script }: Assets) {
  return { style: `/assets/${style.name}`, script: `/assets/${script.name}` };
}
