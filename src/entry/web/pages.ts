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
import { entryPage } from './pages/entry.ts';
import { homePage } from './pages/home.ts';
import { kbPage, promptPage, subjectPage } from './pages/kb.ts';
import { editPage, SUBJECT_ACTIONS } from './pages/kb-edit.ts';
import { ledgerPage } from './pages/ledger.ts';
import { entryFormPage, LEDGER_ACTIONS, promotePage } from './pages/ledger-write.ts';
import { doctorPage, jobsPage, MACHINE_ACTIONS, settingsPage, toolsPage } from './pages/machine.ts';
import { mapPage, newReferencePage, TOPIC_ACTIONS } from './pages/reference-new.ts';
import { REFERENCE_ACTIONS, referencePage, referencesPage } from './pages/references.ts';
import { searchPage } from './pages/search.ts';
import { TRUST_ACTIONS, trustPage } from './pages/trust.ts';

export const PAGES: readonly AnyPage[] = [
  ...[homePage, searchPage, citePage, approvalsPage, approvalPage, trustPage],
  ...[
    kbPage,
    subjectPage,
    editPage,
    promptPage,
    referencesPage,
    referencePage,
    newReferencePage,
    mapPage,
    ledgerPage,
    entryPage,
    entryFormPage,
    promotePage,
  ],
  ...[conversationsPage, conversationPage, turnPage, toolsPage, jobsPage, settingsPage, doctorPage],
];

export const ACTIONS: readonly Action[] = [
  ...[approveAction, denyAction, ...TRUST_ACTIONS, ...SUBJECT_ACTIONS],
  ...[...REFERENCE_ACTIONS, ...TOPIC_ACTIONS, ...LEDGER_ACTIONS, ...CONVERSATION_ACTIONS, ...MACHINE_ACTIONS],
];
