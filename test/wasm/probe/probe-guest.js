// A guest that carries out the steps in its arguments, one after the other, and answers what each of them gave.
import { getArguments, getEnvironment, initialCwd } from 'wasi:cli/environment@0.2.12';
import { exit } from 'wasi:cli/exit@0.2.12';
import { getStderr } from 'wasi:cli/stderr@0.2.12';
import { getStdin } from 'wasi:cli/stdin@0.2.12';
import { getStdout } from 'wasi:cli/stdout@0.2.12';
import { now as monotonicNow, subscribeDuration } from 'wasi:clocks/monotonic-clock@0.2.12';
import { now as wallNow } from 'wasi:clocks/wall-clock@0.2.12';
import { getDirectories } from 'wasi:filesystem/preopens@0.2.12';
import { getRandomBytes } from 'wasi:random/random@0.2.12';
import { instanceNetwork } from 'wasi:sockets/instance-network@0.2.12';
import { resolveAddresses } from 'wasi:sockets/ip-name-lookup@0.2.12';
import { createTcpSocket } from 'wasi:sockets/tcp-create-socket@0.2.12';
import { createUdpSocket } from 'wasi:sockets/udp-create-socket@0.2.12';

const NOW = { tag: 'now' };
const toBytes = (text) => Uint8Array.from(unescape(encodeURIComponent(text)), (one) => one.charCodeAt(0));
const toText = (bytes) => decodeURIComponent(escape(String.fromCharCode(...bytes)));

function readAll(descriptor) {
  let text = '';
  for (let offset = 0; ; ) {
    const [bytes] = descriptor.read(4096, offset);
    if (bytes.length === 0) return text;
    text += toText(bytes);
    offset += bytes.length;
  }
}

function list(descriptor) {
  const entries = descriptor.readDirectory();
  const names = [];
  for (let entry = entries.readDirectoryEntry(); entry; entry = entries.readDirectoryEntry()) {
    names.push(`${entry.name} ${entry.type}`);
  }
  return names.sort();
}

const endlessly = (work) => {
  for (;;) work();
};
const deeper = (depth) => (depth < 0 ? 0 : 1 + deeper(depth + 1));

/** Each takes the step and the descriptors by name. */
const ACTIONS = {
  open(step, held) {
    const flags = { symlinkFollow: step.follow ?? true };
    const opened = held[step.on].openAt(flags, step.path, step.how ?? {}, step.wanted ?? { read: true });
    held[step.as ?? 'opened'] = opened;
    return opened.getType();
  },
  read: (step, held) => readAll(held[step.on ?? 'opened']),
  readOnce: (step, held) => held[step.on ?? 'opened'].read(step.length, step.offset)[0].length,
  readStream(step, held) {
    return toText(held[step.on ?? 'opened'].readViaStream(step.offset ?? 0).blockingRead(4096));
  },
  write: (step, held) => held[step.on ?? 'opened'].write(toBytes(step.text), step.offset ?? 0),
  writeStream(step, held) {
    held[step.on ?? 'opened'].writeViaStream(step.offset ?? 0).blockingWriteAndFlush(toBytes(step.text));
  },
  append: (step, held) =>
    held[step.on ?? 'opened'].appendViaStream().blockingWriteAndFlush(toBytes(step.text)),
  setSize: (step, held) => held[step.on ?? 'opened'].setSize(step.size),
  setTimes: (step, held) => held[step.on ?? 'opened'].setTimes(NOW, NOW),
  setTimesAt: (step, held) =>
    held[step.on].setTimesAt({ symlinkFollow: step.follow ?? true }, step.path, NOW, NOW),
  list: (step, held) => list(held[step.on ?? 'opened']),
  stat: (step, held) => held[step.on].stat().type,
  statAt(step, held) {
    const { type, size } = held[step.on].statAt({ symlinkFollow: step.follow ?? true }, step.path);
    return `${type} ${size}`;
  },
  hashAt(step, held) {
    held[step.on].metadataHashAt({ symlinkFollow: step.follow ?? true }, step.path);
    return 'hash';
  },
  flags: (step, held) => held[step.on ?? 'opened'].getFlags(),
  mkdir: (step, held) => held[step.on].createDirectoryAt(step.path),
  rmdir: (step, held) => held[step.on].removeDirectoryAt(step.path),
  unlink: (step, held) => held[step.on].unlinkFileAt(step.path),
  rename: (step, held) => held[step.on].renameAt(step.path, held[step.toOn ?? step.on], step.to),
  symlink: (step, held) => held[step.on].symlinkAt(step.target, step.path),
  link: (step, held) =>
    held[step.on].linkAt(
      { symlinkFollow: step.follow ?? false },
      step.path,
      held[step.toOn ?? step.on],
      step.to,
    ),
  readlink: (step, held) => held[step.on].readlinkAt(step.path),
  drop(step, held) {
    delete held[step.on];
  },
  /** How many could be held open at once. */
  openMany(step, held) {
    const all = [];
    try {
      for (let at = 0; at < step.count; at++)
        all.push(held[step.on].openAt({}, step.path, {}, { read: true }));
    } catch {}
    return all.length;
  },
  listMany(step, held) {
    const all = [];
    try {
      for (let at = 0; at < step.count; at++) all.push(held[step.on].readDirectory());
    } catch {}
    return all.length;
  },
  /** Opens again and again while others change the way; answers how often which text came. */
  race(step, held) {
    const seen = {};
    for (let at = 0; at < step.count; at++) {
      let what;
      try {
        const opened = held[step.on].openAt(
          { symlinkFollow: true },
          step.path,
          step.how ?? {},
          step.wanted ?? { read: true },
        );
        what = step.text === undefined ? readAll(opened) : String(opened.write(toBytes(step.text), 0));
      } catch (error) {
        what = `error ${error}`;
      }
      seen[what] = (seen[what] ?? 0) + 1;
    }
    return seen;
  },
  environment: () => getEnvironment(),
  arguments: () => getArguments(),
  directory: () => initialCwd() ?? null,
  stdin: () => toText(getStdin().blockingRead(10)),
  tcp: (step) => typeof createTcpSocket(step.family ?? 'ipv4'),
  udp: (step) => typeof createUdpSocket(step.family ?? 'ipv4'),
  resolve: (step) => typeof resolveAddresses(instanceNetwork(), step.host),
  random: (step) => getRandomBytes(step.length).length,
  clock: () => [monotonicNow(), Number(wallNow().seconds)],
  print: (step) => getStdout().blockingWriteAndFlush(toBytes(step.text)),
  warn: (step) => getStderr().blockingWriteAndFlush(toBytes(step.text)),
  printForever() {
    const bytes = new Uint8Array(4096).fill(120);
    const stdout = getStdout();
    endlessly(() => stdout.blockingWriteAndFlush(bytes));
  },
  loop: () => endlessly(() => {}),
  sleep: (step) => subscribeDuration(step.ms * 1_000_000).block(),
  memory() {
    const all = [];
    endlessly(() => all.push(new Uint8Array(1024 * 1024).fill(1)));
  },
  /** Far below the stack that a script may use, so the engine's own stack has to give way. */
  recurse: () => deeper(1),
  exit: (step) => exit(step.ok ? { tag: 'ok' } : { tag: 'err' }),
  throw() {
    throw new Error('thrown by the guest');
  },
  text: (step) => 'x'.repeat(step.length),
};

export function run(context, name, given, answers) {
  if (context.action === 'format-arguments') return { tag: 'success', val: `${name} ${given}` };
  const { steps, outcome } = JSON.parse(given);
  if (outcome) return outcome;
  const held = {};
  getDirectories().forEach(([descriptor, path]) => {
    held[path] = descriptor;
  });
  const gave = (steps ?? []).map((step) => {
    try {
      const value = ACTIONS[step.do](step, held);
      return { ok: value === undefined ? null : value };
    } catch (error) {
      if (step.fatal) throw error;
      return { error: typeof error === 'string' ? error : String(error?.tag ?? error?.message ?? error) };
    }
  });
  return {
    tag: 'success',
    val: JSON.stringify({ root: context.root, name, answers: JSON.parse(answers), gave }),
  };
}
