import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { counted } from '../../../../base/text.ts';
import { minuteTime } from '../../../../base/time.ts';
import { approveInPerson } from '../../../../domain/approvals/decide-approval.ts';
import { adoptDecisions, decisionsToAdopt } from '../../../../domain/approvals/lock/adopt-decisions.ts';
import { signSettings, unsignedSettings } from '../../../../domain/approvals/lock/own-settings.ts';
import { absenceFault, requireOperator } from '../../../../domain/approvals/operator/operator-presence.ts';
import { command } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';

export const lockApprovals = command({
  name: 'lock',
  summary: 'lock approvals with a passphrase, so that only you can decide',
  description:
    'Makes a key and encrypts it with your passphrase. From then on ken accepts only decisions, trust, tools and ' +
    'settings that this key has signed, and asks for the passphrase before you decide. The lock is in the home ' +
    'directory that the system lists for your account, whatever HOME or KEN_HOME say. With --system the public key is ' +
    'also below /etc/ken, where only root can replace it.',
  examples: ['approvals lock', 'approvals lock --system', 'approvals lock --reset'],
  options: [
    { flags: '--system', summary: 'put the public key where only root can replace it' },
    {
      flags: '--reset',
      summary: 'replace a forgotten passphrase; all decisions, trust and settings become void',
    },
    { flags: '--off', summary: 'remove the lock; needs the passphrase' },
  ],

  async run({ options, terminal, openAnywhere, signal }) {
    const [first, second] = (['system', 'reset', 'off'] as const).filter((name) => options.has(name));
    if (first && second) throw new Fault('cli/usage', `Use --${first} or --${second}.`);
    const app = await openAnywhere({ toleratesTrouble: true });
    if (options.has('off')) return removeLock(app, terminal);
    const state = await app.lock.state();
    if (options.has('reset')) return resetLock(app, terminal, signal);
    if (state.kind === 'broken') throw absentLock(`${state.file} ${state.why}`);
    if (state.kind === 'off') await lockNow(app, terminal, signal);
    else terminal.note(`Approvals are locked since ${minuteTime(state.created)}.`);
    if (options.has('system')) await lockForSystem(app, terminal);
  },
});

async function lockNow(app: App, terminal: Terminal, signal: AbortSignal): Promise<void> {
  await requireOperator(app, 'Locking approvals', 'question');
  const before = await decisionsToAdopt(app);
  const publicKey = await app.lock.lock({ isReset: false });
  if (publicKey === undefined)
    throw new Fault('approvals/locked', 'No passphrase was given; nothing is locked.');
  await logLock(app, 'lock', publicKey);
  terminal.note('Approvals are locked. Nothing can open them without the passphrase: keep it.');
  if (before.lines.length === 0) return;
  const text = `You decided this before the lock:\n${before.lines.join('\n')}\n\nSign all of it, so that it still counts?`;
  const question = { id: 'sign', text, answerType: 'boolean', default: false } as const;
  if ((await app.questioner.ask('ken', question, signal)) !== true)
    return terminal.note('It does not count any more; ken asks again when it is needed.');
  await adoptDecisions(app, before);
  terminal.note(`${counted(before.lines.length, 'decision')} signed.`);
}

async function resetLock(app: App, terminal: Terminal, signal: AbortSignal): Promise<void> {
  await requireOperator(app, 'Replacing the passphrase', 'question');
  if ((await app.lock.state()).kind === 'off') throw absentLock('Approvals are not locked');
  const text =
    'Without the old passphrase everything that you decided is void: approvals, trust, accepted tools, and ' +
    'settings that permit more. "ken status" and "ken doctor" tell of it for 30 days.\n\nReplace the passphrase?';
  const question = { id: 'reset', text, answerType: 'boolean', default: false } as const;
  if ((await app.questioner.ask('ken', question, signal)) !== true)
    return terminal.note('Nothing was changed.');
  const publicKey = await app.lock.lock({ isReset: true });
  if (publicKey === undefined) return terminal.note('No passphrase was given; nothing was changed.');
  await logLock(app, 'reset', publicKey);
  terminal.note('The passphrase is replaced, and everything that was decided before is void.');
}

async function removeLock(app: App, terminal: Terminal): Promise<void> {
  const state = await app.lock.state();
  if (state.kind === 'off') throw absentLock('Approvals are not locked');
  await requireOperator(app, 'Removing the lock');
  if (state.kind === 'on' && state.place === 'home') await logLock(app, 'off', state.publicKey);
  await app.lock.remove();
  terminal.note('Approvals are no longer locked.');
}

async function lockForSystem(app: App, terminal: Terminal): Promise<void> {
  await requireOperator(app, 'Locking approvals', 'question');
  const system = await app.lock.lockSystem();
  if (system.isDone) terminal.note(`The public key is in ${system.file}.`);
  else terminal.note(`Let root put the public key in its place:\n  ${system.needsRoot}`);
}

async function logLock(app: App, act: 'lock' | 'reset' | 'off', publicKey: string): Promise<void> {
  const decided = { at: app.clock.now(), by: await app.operator.name(), through: 'terminal' };
  await app.decisionLog.append({ act, subject: publicKey, digest: null, ...decided });
}

function absentLock(why: string): Fault {
  return new Fault('approvals/locked', `${why}.`, {
    hint: 'See "ken doctor" and "ken approvals lock --help".',
  });
}

const DEFAULT_MINUTES = 15;
const MINUTE_MS = 60_000;

export const unlockApprovals = command({
  name: 'unlock',
  summary: 'type the passphrase once and decide all waiting requests',
  description:
    'Asks for the passphrase, shows each waiting request and asks you to decide it, and keeps the key in its own ' +
    'memory for some minutes or until Ctrl-D. Other processes of ken stay locked.',
  examples: ['approvals unlock', 'approvals unlock --minutes 60'],
  options: [{ flags: '--minutes <n>', summary: `how long to keep the key (default: ${DEFAULT_MINUTES})` }],

  async run({ options, terminal, openAnywhere, signal }) {
    const minutes = Number(options.text('minutes') ?? DEFAULT_MINUTES);
    if (!(minutes > 0 && minutes <= 1440)) throw new Fault('cli/usage', '--minutes is from 1 to 1440.');
    const app = await openAnywhere({ toleratesTrouble: true });
    const presence = await app.operator.presence();
    if (!presence.isPresent) throw absenceFault(presence, 'Deciding');
    const end = AbortSignal.timeout(minutes * MINUTE_MS);
    try {
      await signOwnSettings(app, terminal, AbortSignal.any([signal, end]));
      await decideWaiting(app, terminal, AbortSignal.any([signal, end]));
    } catch (error) {
      if (!end.aborted || signal.aborted) throw error;
      terminal.note('The time is over; approvals are locked again.');
    }
  },
});

async function signOwnSettings(app: App, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const unsigned = await unsignedSettings(app);
  if (unsigned.length === 0) return;
  const lines = unsigned.flatMap(({ file, definitions }) =>
    definitions.map(({ key, value }) => `${file}: ${key} = ${value}`),
  );
  const text = `These settings of yours permit more, and are not signed:\n${lines.join('\n')}\n\nSign them?`;
  const question = { id: 'sign', text, answerType: 'boolean', default: false } as const;
  if ((await app.questioner.ask('ken', question, signal)) !== true) return;
  const shown = new Set(lines);
  await signSettings(app, (file, { key, value }) => shown.has(`${file}: ${key} = ${value}`));
  terminal.note(`${counted(lines.length, 'setting')} signed.`);
}

/** Until Ctrl-D. A request that is left undecided is shown again only in the next round. */
async function decideWaiting(app: App, terminal: Terminal, signal: AbortSignal): Promise<void> {
  for (;;) {
    const waiting = await app.approvals.list({ statuses: ['pending'] }, app.clock.now());
    for (const approval of waiting.toReversed()) {
      const decided = await approveInPerson(app, { approval }, signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof Fault) || error.code === 'process/interrupted') throw error;
        terminal.error(error);
        return 'failed' as const;
      });
      if (!decided) return;
      if (decided === 'failed') continue;
      if (decided.work) terminal.note(decided.work.message);
      else terminal.note(decided.approval.state.status === 'denied' ? 'Denied.' : 'Approved.');
    }
    const answerType = { select: { options: ['look again', 'lock again'] } };
    const question = {
      id: 'next',
      text: 'Nothing waits for you.',
      answerType,
      default: 'look again',
    } as const;
    if ((await app.questioner.ask('ken', question, signal)) !== 'look again') return;
  }
}
