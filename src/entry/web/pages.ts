/** Every page and every action. */

import type { Action, AnyPage } from './page.ts';
import { approvalPage, approvalsPage, approveAction, denyAction } from './pages/approvals.ts';
import { citePage } from './pages/cite.ts';
import {
  CONVERSATION_ACTIONS,
  conversationPage,
  conversationsPage,
  turnPage,
} from './pages/conversations.ts';
import { homePage } from './pages/home.ts';
import { addSubjectAction, kbPage, promptPage, subjectPage } from './pages/kb.ts';
import { entryPage, LEDGER_ACTIONS, ledgerPage } from './pages/ledger.ts';
import { doctorPage, jobsPage, MACHINE_ACTIONS, settingsPage, toolsPage } from './pages/machine.ts';
import { REFERENCE_ACTIONS, referencePage, referencesPage } from './pages/references.ts';
import { searchPage } from './pages/search.ts';

export const PAGES: readonly AnyPage[] = [
  ...[homePage, searchPage, citePage, approvalsPage, approvalPage],
  ...[kbPage, subjectPage, promptPage, referencesPage, referencePage, ledgerPage, entryPage],
  ...[conversationsPage, conversationPage, turnPage, toolsPage, jobsPage, settingsPage, doctorPage],
];

export const ACTIONS: readonly Action[] = [
  ...[approveAction, denyAction, addSubjectAction],
  ...[...REFERENCE_ACTIONS, ...LEDGER_ACTIONS, ...CONVERSATION_ACTIONS, ...MACHINE_ACTIONS],
];
