/** Rights of people and their assistants in the workspaces of a team. */

import { Fault } from '../../base/fault.ts';

export const SCOPES = ['read', 'propose', 'write', 'approve', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that an assistant can have: deciding and administering need a person in a browser. */
export const TOKEN_SCOPES = ['read', 'propose', 'write'] as const satisfies readonly Scope[];

/** The kind of credential. */
export type Channel = 'token' | 'provider' | 'browser';

export interface Principal {
  readonly person: string;
  readonly channel: Channel;
  /** The only workspace that it grants; undefined for every workspace of the person. */
  readonly workspace: string | undefined;
  /** Limits the scopes of the membership; undefined for no further limit. */
  readonly scopes: readonly Scope[] | undefined;
  /** Distinguishes this token or session from others of the same person; not secret. */
  readonly id: string;
}

export interface Membership {
  readonly workspace: string;
  readonly person: string;
  readonly scopes: readonly Scope[];
}

/** Scopes in a workspace. Empty where the person is no member, whether or not the workspace exists. */
export function rightsOf(
  { scopes, channel, workspace }: Principal,
  membership: Membership | undefined,
): readonly Scope[] {
  if (!membership || (workspace !== undefined && workspace !== membership.workspace)) return [];
  const granted = membership.scopes.filter((scope) => scopes?.includes(scope) ?? true);
  return channel === 'browser' ? granted : granted.filter((scope) => isTokenScope(scope));
}

export function isTokenScope(scope: Scope): scope is (typeof TOKEN_SCOPES)[number] {
  return TOKEN_SCOPES.some((each) => each === scope);
}

export function parseScopes(texts: readonly string[], allowed: readonly Scope[]): readonly Scope[] {
  const given = texts.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== '');
  const scopes = given.map((text) => {
    const scope = allowed.find((each) => each === text);
    if (scope) return scope;
    throw new Fault('team/invalid', `"${text}" is not a scope here.`, {
      hint: `Choose of ${allowed.join(', ')}.`,
    });
  });
  if (scopes.length === 0) throw new Fault('team/invalid', 'Name at least one scope.');
  return SCOPES.filter((scope) => scopes.includes(scope));
}

/** The same names as in `team.workspace`. */
export function workspaceName(text: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(text)) return text;
  throw new Fault('team/invalid', `"${text}" cannot be the name of a workspace.`, {
    hint: 'Use up to 100 letters, digits and . _ -.',
  });
}

/** Letters, digits and a few marks, so that two names never look alike in a log. */
export function personName(text: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u.test(text) && text.normalize('NFKC') === text) return text;
  throw new Fault('team/invalid', `"${text}" cannot be the name of a person.`, {
    hint: 'Use up to 100 letters, digits and . _ @ + -.',
  });
}
