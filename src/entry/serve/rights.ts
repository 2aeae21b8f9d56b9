import type { Scope } from '../../domain/team/access.ts';
import type { Rights } from '../../domain/team/scoped-stores.ts';
import { recordAct, type Serving } from './serving.ts';

/** Rights whose refusals and changes are in the audit log. */
export function rightsFor(serving: Serving, scopes: readonly Scope[]): Rights {
  return {
    scopes,
    onDenied: (act) => void recordAct(serving, act, 'denied'),
    onChanged: (act) => void recordAct(serving, act, 'done'),
  };
}
