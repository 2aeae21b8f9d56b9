/** Pages and actions. Beside them the server has only the login, the assets and the streams. */

import { type App, isInWorkspace, type OpenApp, type OpenRequest, type WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import type { LockHolder } from '../../domain/approvals/lock/approvals-lock.ts';
import type { SentFile } from './forms.ts';
import type { Indexing } from './indexing.ts';
import type { Html } from './parts/html.ts';
import type { Drafts, Notice } from './sign-ins.ts';
import type { Turns } from './turns.ts';

export interface WebPlace {
  readonly app: App;
  readonly openApp: OpenApp;
  readonly request: OpenRequest;
  /** Nothing can be changed: there is no button for it, and no route. */
  readonly isReadOnly: boolean;
  /** Shows a team's knowledge instead of this machine's. */
  readonly isOfTeam?: true;
  readonly turns: Turns;
  readonly indexing: Indexing;
  /** Aborts when the page ends. */
  readonly signal: AbortSignal;
  /** Reports a bug of ken on the terminal. */
  report(error: unknown): void;
}

/** The place before its parts that run are begun. */
export type OpenedPlace = Omit<WebPlace, 'turns' | 'indexing'>;

/** One request of a signed-in browser. */
export interface Visit {
  readonly place: WebPlace;
  readonly app: App;
  readonly query: URLSearchParams;
  readonly now: number;
  /** Forms are shown. */
  readonly canChange: boolean;
  readonly formToken: string;
  readonly drafts: Drafts;
  /** The lock on approvals as this browser has opened it, or not. */
  readonly lock: LockHolder;
  /** Aborts when the browser leaves. */
  readonly signal: AbortSignal;
  /** The page is there already and follows what changes elsewhere. */
  readonly isUpdate: boolean;
}

export interface Page<Data> {
  /** Its twin with the same data is at `<path>.json`. */
  readonly path: string;
  readonly section: Section;
  /** Loads the editor too, which is larger than everything else. */
  readonly hasEditor?: boolean;
  load(visit: Visit): Promise<Data>;
  title(data: Data): string;
  view(data: Data, visit: Visit): Html;
  /** Something on it goes on by itself, so that a browser without scripts loads it again. */
  isGoingOn?(data: Data): boolean;
}

/** A page whose data has some type; made by `page()`. */
export type AnyPage = Page<unknown>;

export function page<Data>(definition: Page<Data>): AnyPage {
  return definition as AnyPage;
}

/** Changes something, then leads to another page. */
export interface Action {
  readonly path: string;
  /** Refused while approvals are locked in this browser. */
  readonly decides?: true;
  run(visit: Visit, form: URLSearchParams, files: readonly SentFile[]): Promise<ActionEnd>;
}

export interface ActionEnd {
  /** Path and query of the page that follows. */
  readonly to: string;
  readonly notice?: Notice;
}

export const SECTIONS = [
  { id: 'home', title: 'Home', path: '/' },
  { id: 'search', title: 'Search', path: '/search' },
  { id: 'approvals', title: 'Approvals', path: '/approvals' },
  { id: 'kb', title: 'Knowledge base', path: '/kb' },
  { id: 'references', title: 'References', path: '/references' },
  { id: 'ledger', title: 'Ledger', path: '/ledger' },
  { id: 'conversations', title: 'Conversations', path: '/conversations' },
  { id: 'tools', title: 'Tools', path: '/tools' },
  { id: 'jobs', title: 'Jobs', path: '/jobs' },
  { id: 'settings', title: 'Settings', path: '/settings' },
  { id: 'doctor', title: 'Doctor', path: '/doctor' },
] as const;

export type Section = (typeof SECTIONS)[number]['id'];

/** A Fault where the page runs outside of a workspace. */
export function workspaceOf({ app }: Pick<Visit, 'app'>): WorkspaceApp {
  if (isInWorkspace(app)) return app;
  throw new Fault('workspace/not-found', 'The page runs outside of a workspace.', {
    hint: 'Run "ken web" in a directory with a .ken, or "ken init" to make one.',
  });
}
