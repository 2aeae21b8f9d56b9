/** Every page and every action. */

import type { Action, AnyPage } from './page.ts';
import { approvalPage, approvalsPage, approveAction, denyAction } from './pages/approvals.ts';
import { citePage } from './pages/cite.ts';
import { homePage } from './pages/home.ts';
import { searchPage } from './pages/search.ts';

export const PAGES: readonly AnyPage[] = [homePage, searchPage, citePage, approvalsPage, approvalPage];

export const ACTIONS: readonly Action[] = [approveAction, denyAction];
