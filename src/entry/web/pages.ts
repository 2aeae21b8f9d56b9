/** Every page and every action. */

import type { Action, AnyPage } from './page.ts';
import { editApprovalAction, editApprovalPage } from './pages/approvals/approval-edit.ts';
import { approvalPage, approvalsPage, approveAction, denyAction } from './pages/approvals/approvals.ts';
import { TRUST_ACTIONS, trustPage } from './pages/approvals/trust.ts';
import { citePage } from './pages/cite.ts';
import { conversationPage } from './pages/conversations/conversation.ts';
import { CONVERSATION_ACTIONS } from './pages/conversations/conversation-actions.ts';
import { conversationsPage } from './pages/conversations/conversations.ts';
import { turnPage } from './pages/conversations/turn.ts';
import { DOCTOR_ACTIONS, doctorPage } from './pages/doctor.ts';
import { homePage } from './pages/home.ts';
import { JOB_ACTIONS, jobsPage } from './pages/jobs.ts';
import { kbPage, promptPage, subjectPage } from './pages/knowledge-base/kb.ts';
import { editPage, SUBJECT_ACTIONS } from './pages/knowledge-base/kb-edit.ts';
import { entryPage } from './pages/ledger/entry.ts';
import { ledgerPage } from './pages/ledger/ledger.ts';
import { entryFormPage, LEDGER_ACTIONS, promotePage } from './pages/ledger/ledger-write.ts';
import { mapPage, newReferencePage, TOPIC_ACTIONS } from './pages/references/reference-new.ts';
import { REFRESH_ACTIONS } from './pages/references/reference-refresh.ts';
import { REFERENCE_ACTIONS, referencePage, referencesPage } from './pages/references/references.ts';
import { searchPage } from './pages/search.ts';
import { changePage, SETTINGS_ACTIONS, settingsPage } from './pages/settings.ts';
import { TOOL_ACTIONS, toolPage, toolsPage } from './pages/tools.ts';

export const PAGES: readonly AnyPage[] = [
  ...[homePage, searchPage, citePage, approvalsPage, approvalPage, editApprovalPage, trustPage],
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
  ...[conversationsPage, conversationPage, turnPage, toolsPage, toolPage],
  ...[jobsPage, settingsPage, changePage, doctorPage],
];

export const ACTIONS: readonly Action[] = [
  ...[approveAction, denyAction, editApprovalAction, ...TRUST_ACTIONS, ...SUBJECT_ACTIONS],
  ...[...REFERENCE_ACTIONS, ...REFRESH_ACTIONS, ...TOPIC_ACTIONS, ...LEDGER_ACTIONS, ...CONVERSATION_ACTIONS],
  ...[...TOOL_ACTIONS, ...JOB_ACTIONS, ...SETTINGS_ACTIONS, ...DOCTOR_ACTIONS],
];
