/** `ken doctor --repair`: plan, question, work. */

import { type App, isInWorkspace } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import { keepCopy } from '../../../domain/backup/keep-copy.ts';
import type { Repair } from '../../../domain/backup/repair.ts';
import type { Invocation } from '../command.ts';
import { copyRequest } from './backup.ts';

type RepairInvocation = Invocation<'repair' | 'dry-run' | 'yes', never>;

export interface Mended {
  readonly path: string;
  readonly action: string;
  /** Why it could not be mended, or what came of it. */
  readonly result: string;
  readonly isDone: boolean;
}

export async function repair(invocation: RepairInvocation): Promise<0 | 6> {
  const { terminal, signal, options } = invocation;
  const app = await openForRepair(invocation);
  const plan = await app.repairs.find('whole', signal);
  if (!terminal.json)
    for (const { path, problem, action } of plan) terminal.print(`${path} ${problem}: ${action}`);
  const isPlanOnly = plan.length === 0 || options.has('dry-run');
  const mended = isPlanOnly || !(await agrees(invocation, app, plan)) ? [] : await mendAll(app, plan, signal);
  if (terminal.json)
    terminal.printJson({
      plan: plan.map(({ path, problem, action }) => ({ path, problem, action })),
      mended: mended.map(({ path, result, isDone }) => ({ path, result, done: isDone })),
    });
  else if (plan.length === 0) terminal.note('There is nothing to mend.');
  else
    for (const { path, result, isDone } of mended)
      terminal.note(`${isDone ? '' : 'not done: '}${path}: ${result}`);
  return mended.some(({ isDone }) => !isDone) ? 6 : 0;
}

/** A broken configuration keeps nothing from being mended. */
async function openForRepair({ openAnywhere }: RepairInvocation): Promise<App> {
  try {
    return await openAnywhere({ toleratesTrouble: true });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return openAnywhere({ ignoresConfig: true });
  }
}

async function agrees(
  { options, terminal, signal }: RepairInvocation,
  app: App,
  plan: readonly Repair[],
): Promise<boolean> {
  if (app.config.approvals.noninteractive !== 'allow') {
    const { requireOperator } = await import('../../../domain/approvals/operator/operator-presence.ts');
    await requireOperator(app, 'A repair');
  }
  if (options.has('yes')) return true;
  const text = `Do ${plan.length === 1 ? 'this' : `these ${counted(plan.length, 'repair')}`}?`;
  const question = { id: 'repair', text, answerType: 'boolean', default: false } as const;
  if ((await app.questioner.ask('ken', question, signal)) === true) return true;
  terminal.note('Nothing was changed.');
  return false;
}

/** One repair that fails keeps no other from being done. */
export async function mendAll(app: App, plan: readonly Repair[], signal: AbortSignal): Promise<Mended[]> {
  const isDamage = plan.some((each) => each.isDamage);
  if (isDamage && isInWorkspace(app))
    await keepCopy(app, { ...copyRequest(app), occasion: 'repair' }, signal);
  const mended: Mended[] = [];
  for (const { path, action, mend } of plan) {
    signal.throwIfAborted();
    try {
      mended.push({ path, action, result: await mend(), isDone: true });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      mended.push({ path, action, result: error.message, isDone: false });
    }
  }
  return mended;
}
