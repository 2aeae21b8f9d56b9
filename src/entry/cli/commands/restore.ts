import path from 'node:path';
import type { App, WorkspaceApp } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import { isoTime } from '../../../base/time.ts';
import { isPartOf, type Tombstone } from '../../../domain/backup/erase.ts';
import { keepCopy } from '../../../domain/backup/keep-copy.ts';
import { BACKUP_PARTS, type Manifest } from '../../../domain/backup/manifest.ts';
import {
  checkBackup,
  planFresh,
  planRestore,
  type Restored,
  type RestoreStep,
  restoreBackup,
} from '../../../domain/backup/restore-backup.ts';
import { command, type Invocation } from '../command.ts';
import { table } from '../render/table.ts';
import type { Terminal } from '../terminal.ts';
import { copyRequest } from './backup.ts';

export const restore = command({
  name: 'restore',
  summary: 'restore the content of a backup',
  description:
    'Checks every digest first and shows what would change. Creates missing files. Replaces different ones after ' +
    'you agree, and keeps the old ones below .ken/repair/. Files that changed after the backup stay, unless ' +
    '--newer is given. Approvals and trust are never restored.',
  examples: [
    'restore knowledge.ken.tar.gz --dry-run',
    'restore knowledge.ken.tar.gz --only ledger',
    'restore knowledge.ken.tar.gz --to ~/project',
  ],
  arguments: [{ name: 'file', summary: 'an archive of "ken backup"', required: true, complete: 'files' }],
  options: [
    { flags: '--to <directory>', summary: 'restore there; it becomes a workspace' },
    { flags: '--only <part>', summary: 'only this part', choices: BACKUP_PARTS, repeatable: true },
    { flags: '--newer', summary: 'also replace what changed after the backup' },
    { flags: '--dry-run', summary: 'only show what would change' },
    { flags: '-y, --yes', summary: 'do not ask' },
  ],

  async run(invocation) {
    const {
      arguments: [name = ''],
      options,
      terminal,
      directory,
      signal,
    } = invocation;
    const file = path.resolve(directory, name);
    const to = options.text('to');
    const here = to === undefined ? await invocation.open({ toleratesTrouble: true }) : undefined;
    const outside = here ?? (await invocation.openAnywhere({ ignoresConfig: true }));
    const manifest = await checkBackup(outside, file, signal);
    const isPreview = options.has('dry-run');
    const app =
      here ??
      (await openAt(invocation, outside, { directory: path.resolve(directory, to ?? ''), isPreview }));
    const only = BACKUP_PARTS.filter((part) => options.texts('only').includes(part));
    const parts = only.length > 0 ? only : BACKUP_PARTS;
    const planned = app ? await planRestore(app, manifest, parts) : planFresh(manifest, parts);
    const buried = (await outside.erasures.tombstones()).filter(({ at }) => at >= manifest.createdAt);
    const steps = planned.filter(({ group }) => !buried.some((each) => isPartOf(each, group)));
    if (steps.length < planned.length && !terminal.json)
      terminal.note(
        `${counted(planned.length - steps.length, 'item')} in it was erased since, and stays out`,
      );
    const isChosen = ({ action }: RestoreStep) =>
      action === 'create' || action === 'replace' || (action === 'newer' && options.has('newer'));
    const plan = { file, manifest, steps, buried, chosen: steps.filter(isChosen) };
    if (!terminal.json) describePlan(terminal, plan);
    const restored =
      app && !isPreview && plan.chosen.length > 0
        ? await carryOut(invocation, app, plan, options.has('yes'))
        : undefined;
    if (terminal.json) terminal.printJson(asJson(plan, restored));
    return undefined;
  },
});

interface Plan {
  readonly file: string;
  readonly manifest: Manifest;
  readonly steps: readonly RestoreStep[];
  readonly chosen: readonly RestoreStep[];
  /** Erased after the backup was made. */
  readonly buried: readonly Tombstone[];
}

/** Undefined when the operator does not agree. */
async function carryOut(
  { terminal, signal }: Pick<Invocation, 'terminal' | 'signal'>,
  app: WorkspaceApp,
  { file, manifest, chosen, buried }: Plan,
  isAgreed: boolean,
): Promise<Restored | undefined> {
  if (!(await mayReplace(app, chosen, isAgreed, signal))) {
    terminal.note('Nothing was changed.');
    return undefined;
  }
  const progress = await terminal.progress(app.clock, signal);
  progress.phase({ title: 'Restoring', unit: 'files' });
  const request = { file, manifest, steps: chosen };
  const restored = await restoreBackup(app, request, progress.update, signal).finally(progress.end);
  const again = chosen.some(({ group }) => group === 'ledger') ? await app.erasures.eraseAgain(buried) : 0;
  if (again > 0) terminal.note(`${counted(again, 'entry', 'entries')} in it erased since, and erased again`);
  if (!terminal.json) describeEnd(terminal, restored, chosen);
  return restored;
}

/** Undefined for a preview into a directory that is no workspace yet. */
async function openAt(
  { open }: Pick<Invocation, 'open'>,
  { places }: App,
  { directory, isPreview }: { readonly directory: string; readonly isPreview: boolean },
): Promise<WorkspaceApp | undefined> {
  try {
    return await open({ workspace: directory, toleratesTrouble: true });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'workspace/not-found') throw error;
  }
  if (isPreview) return undefined;
  await places.makeWorkspace(directory, 'no files');
  return open({ workspace: directory });
}

/** Asks when something is replaced, and copies what is there first. */
async function mayReplace(
  app: WorkspaceApp,
  chosen: readonly RestoreStep[],
  isAgreed: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const { length } = chosen.filter(({ action }) => action !== 'create');
  if (length === 0) return true;
  if (!isAgreed && !(await agrees(app, counted(length, 'item'), signal))) return false;
  await keepCopy(app, { ...copyRequest(app), occasion: 'restore' }, signal);
  return true;
}

async function agrees({ questioner }: WorkspaceApp, what: string, signal: AbortSignal): Promise<boolean> {
  if (!(await questioner.isThere()))
    throw new Fault('cli/usage', `This replaces ${what}, and there is no terminal to ask at.`, {
      hint: 'Give --yes to replace, or --dry-run to see what would change.',
    });
  const question = {
    id: 'restore',
    text: `Replace ${what}?`,
    answerType: 'boolean',
    default: false,
  } as const;
  return (await questioner.ask('ken', question, signal)) === true;
}

const WORDS: Record<RestoreStep['action'], string> = {
  create: 'create',
  replace: 'replace',
  newer: 'keep, it is newer here',
  same: 'the same',
};

const MOST_SHOWN = 50;

function describePlan(terminal: Terminal, { manifest, steps, chosen }: Plan): void {
  const { createdAt, workspace, ken, since, files } = manifest;
  const kind = since === undefined ? '' : `, only what changed after ${isoTime(since)}`;
  terminal.note(
    `backup of "${workspace}" from ${isoTime(createdAt)} by ken ${ken}: ${counted(files.length, 'file')}, all whole${kind}`,
  );
  const differing = steps.filter(({ action }) => action !== 'same');
  const word = (step: RestoreStep) =>
    step.action === 'newer' && chosen.includes(step) ? 'replace' : WORDS[step.action];
  const rows = differing.slice(0, MOST_SHOWN).map((step) => [word(step), step.group]);
  if (rows.length > 0)
    terminal.printStyled(table(terminal, [{ title: 'what' }, { title: 'item', flexible: true }], rows));
  if (differing.length > rows.length) terminal.note(`and ${differing.length - rows.length} more`);
  if (differing.length === 0) terminal.note('Everything in it is here already.');
}

function describeEnd(terminal: Terminal, { groups, keptIn }: Restored, chosen: readonly RestoreStep[]): void {
  terminal.note(`restored ${counted(groups, 'item')}`);
  for (const kept of keptIn) terminal.note(`what was there before is in ${kept}`);
  const topics = chosen.filter(({ group, paths }) => group.startsWith('references/') && !hasFiles(paths));
  if (topics.length > 0)
    terminal.note(
      'Some reference topics came without their files: "ken ref refresh TOPIC" fetches them again.',
    );
}

function hasFiles(paths: readonly string[]): boolean {
  return paths.some((each) => each.split('/')[2] === 'files');
}

function asJson({ manifest, steps, chosen }: Plan, restored: Restored | undefined) {
  const { createdAt, workspace, ken } = manifest;
  return {
    backup: { workspace, created_at: isoTime(createdAt), ken },
    items: steps.map((step) => ({
      item: step.group,
      action: step.action,
      files: step.paths.length,
      restored: restored !== undefined && chosen.includes(step),
    })),
    kept_in: restored?.keptIn ?? [],
  };
}
