import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject, type Json, memberOf } from '../../base/json.ts';
import { neutralise } from '../../base/terminal-text.ts';
import { CARDS, TASKS } from './extensions/extension-names.ts';

export interface Caller {
  readonly name: string;
  readonly hasForms: boolean;
  /** Opens an address for the person who uses it. */
  readonly hasUrls: boolean;
  /** Says which directories it has open. */
  readonly hasRoots: boolean;
  /** Takes a task in place of a result. */
  readonly hasTasks: boolean;
  /** Shows cards beside answers. */
  readonly hasCards: boolean;
  readonly responses: Readonly<Record<string, unknown>>;
}

export function callerOf(server: Server, { mcpReq }: Pick<ServerContext, 'mcpReq'>): Caller {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const information = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const elicitation = memberOf(capabilities as Json | undefined, 'elicitation');
  return {
    name: shownName(memberOf(information as Json | undefined, 'name')),
    hasForms: takesForms(elicitation),
    hasUrls: memberOf(elicitation, 'url') !== undefined,
    // Tasks are an extension of the newest revision.
    hasTasks: mcpReq.envelope !== undefined && extensionsIn(capabilities).includes(TASKS),
    hasCards: extensionsIn(capabilities).includes(CARDS),
    hasRoots: memberOf(capabilities as Json | undefined, 'roots') !== undefined,
    responses: mcpReq.inputResponses ?? {},
  };
}

function extensionsIn(capabilities: unknown): readonly string[] {
  const extensions = memberOf(capabilities as Json | undefined, 'extensions');
  return isJsonObject(extensions) ? Object.keys(extensions) : [];
}

const UNNAMED = 'mcp';
const MAX_NAME = 64;

function shownName(name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '') return UNNAMED;
  return neutralise(name.trim().slice(0, MAX_NAME).toWellFormed());
}

/** A client that names no kind of elicitation supports forms. */
function takesForms(elicitation: Json | undefined): boolean {
  return isJsonObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
}
