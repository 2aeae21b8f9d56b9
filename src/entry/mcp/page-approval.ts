/** Leads a client to an approval on the running page. Its answer says only that the address was opened, and decides nothing. */

import { setTimeout as pause } from 'node:timers/promises';
import { type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { neutralise } from '../../base/terminal-text.ts';
import { approvalQuestion } from '../../domain/approvals/describe-reason.ts';
import { askRunningPage, pageFiles } from '../web/running-page.ts';
import type { Caller } from './caller.ts';
import type { ServedWorkspace } from './served-workspace.ts';

type Served = Pick<ServedWorkspace, 'app' | 'jobAfterMs'>;

/** Undefined for a client that opens no addresses or was led there already, and when no page runs. */
export async function pageFor(
  { app }: Served,
  { hasUrls, responses }: Caller,
  id: string,
): Promise<InputRequiredResult | undefined> {
  if (!hasUrls || Object.hasOwn(responses, id)) return undefined;
  const page = await askRunningPage(pageFiles(app.directories.state, app.workspace.root), 'address');
  const approval = page === undefined ? undefined : await app.approvals.get(id, app.clock.now());
  if (!approval) return undefined;
  const url = new URL('/approvals/show', page);
  url.searchParams.set('id', id);
  const request = inputRequired.elicitUrl({ message: neutralise(approvalQuestion(approval)), url: url.href });
  return inputRequired({ inputRequests: { [id]: request } });
}

const POLL_MS = 500;
/** A call that waits longer is answered, and the assistant asks again. */
const LONGEST_MS = 30_000;

/** Waits a while for the operator's decision when the client says that it has opened the address. */
export async function untilDecided(
  { app, jobAfterMs }: Served,
  { hasUrls, responses }: Caller,
  signal: AbortSignal,
): Promise<void> {
  if (!hasUrls) return;
  const end = performance.now() + Math.min(LONGEST_MS, jobAfterMs / 2);
  for (const id of Object.keys(responses)) {
    const response = inputResponse(responses, id);
    if (response.kind !== 'elicit' || response.action !== 'accept') continue;
    while (performance.now() < end) {
      const approval = await app.approvals.get(id, app.clock.now());
      if (approval?.state.status !== 'pending') break;
      await pause(POLL_MS, undefined, { signal });
    }
  }
}
