import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { indexFile, runEnvironment, type Sandbox, sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { LAUNCHER } from '../cli/launcher.ts';
import { scaled } from '../scale.ts';

const TOPIC = '[kb.topic.notes]\ntitle = "Notes"\nsubjects = "notes"\n';
const DIRECTORIES = 100;
/** In each directory. */
const FILES = scaled(30, 100);
const TICKS_PER_SECOND = 100;

function startWatch({ root, home }: Sandbox, words: readonly string[] = ['watch']): ChildProcess {
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    cwd: root,
    env: runEnvironment(home),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  });
  return child;
}

/** Ids and digests of everything in an index. */
function indexed(place: Pick<Sandbox, 'root' | 'home'>): readonly string[] {
  try {
    const database = new DatabaseSync(indexFile(place), { readOnly: true });
    const rows = database.prepare("select id, hash from search_item where source = 'kb' order by id").all();
    database.close();
    return rows.map(({ id, hash }) => `${id} ${hash}`);
  } catch {
    return [];
  }
}

/** The same of an index that is made now, of the files as they are. */
async function indexedAfresh(place: Sandbox): Promise<readonly string[]> {
  const home = path.join(path.dirname(place.home), 'another-home');
  await place.ken(['search', 'zebra', '--in', 'kb'], { environment: { KEN_HOME: home } });
  const found = indexed({ root: place.root, home });
  rmSync(home, { recursive: true });
  return found;
}

/** Changes nothing itself: a search would bring the index up to date. */
async function expectFresh(place: Sandbox): Promise<void> {
  const wanted = await indexedAfresh(place);
  await expect.poll(() => indexed(place), { timeout: 60_000, interval: 100 }).toEqual(wanted);
}

function ticksOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

it('follows bursts of changes in thousands of files, and rests when nothing changes', async ({
  annotate,
}) => {
  const place = sandboxHere(TOPIC);
  const file = (directory: number, name: number) => path.join(place.root, `notes/d${directory}/s${name}.md`);
  for (let directory = 0; directory < DIRECTORIES; directory++) {
    mkdirSync(path.dirname(file(directory, 0)), { recursive: true });
    for (let name = 0; name < FILES; name++)
      writeFileSync(
        file(directory, name),
        `# Note ${directory} ${name}\n\nThe word is w${directory}x${name}.\n`,
      );
  }
  const watch = startWatch(place);
  await expect.poll(() => indexed(place).length, { timeout: 60_000 }).toBe(DIRECTORIES * FILES);

  for (let at = 0; at < 1_000; at++)
    writeFileSync(file(at % 100, Math.floor(at / 100)), `# Changed ${at}\n\nzebra\n`);
  for (let at = 0; at < 1_000; at++)
    renameSync(file(at % 100, Math.floor(at / 100)), file(at % 100, 500 + Math.floor(at / 100)));
  for (let at = 0; at < 1_000; at++) rmSync(file(at % 100, 20 + Math.floor(at / 100)));
  await expectFresh(place);
  renameSync(path.join(place.root, 'notes/d1'), path.join(place.root, 'notes/moved'));
  renameSync(path.join(place.root, 'notes/d2'), path.join(place.root, 'away'));
  await expectFresh(place);
  // What was moved is still watched, and a new directory in the place of another one too.
  mkdirSync(path.join(place.root, 'notes/d2/deep/deeper'), { recursive: true });
  place.write('notes/d2/first.md', '# First\n');
  await expect.poll(() => indexed(place).join(), { timeout: 60_000 }).toContain('notes/d2/first');
  place.write('notes/moved/later.md', '# Later\n');
  place.write('notes/d2/deep/deeper/later.md', '# Later\n');
  await expectFresh(place);
  expect(indexed(place).join()).toContain('notes/d2/deep/deeper/later');

  const before = ticksOf(watch);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = (ticksOf(watch) - before) / TICKS_PER_SECOND;
  await annotate(`${idle} s of processor time in 2 s without changes`);
  expect(idle).toBeLessThanOrEqual(0.05);
});

it('survives what is odd in a topic, and goes on with the rest', async () => {
  const place = sandboxHere(TOPIC);
  const outside = path.join(path.dirname(place.root), 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'secret.md'), '# Secret\n');
  place.write('notes/a.md', '# A\n');
  execFileSync('mkfifo', [path.join(place.root, 'notes/pipe.md')]);
  symlinkSync(outside, path.join(place.root, 'notes/out'));
  symlinkSync('..', path.join(place.root, 'notes/up'));
  symlinkSync('loop', path.join(place.root, 'notes/loop'));
  const watch = startWatch(place);
  await expectFresh(place);
  // Directories that come and go while they are found.
  for (let at = 0; at < 300; at++) {
    place.write(`notes/short${at}/deep/x.md`, '# X\n');
    rmSync(path.join(place.root, `notes/short${at}`), { recursive: true });
  }
  place.write('notes/b.md', '# B\n');
  await expectFresh(place);
  rmSync(path.join(place.root, 'notes'), { recursive: true });
  await expect.poll(() => indexed(place)).toEqual([]);
  place.write('notes/again.md', '# Again\n');
  await expectFresh(place);
  expect(indexed(place)).toHaveLength(1);
  expect(watch.exitCode).toBe(null);
});

it('takes a topic in that is configured while it runs, and keeps going while the configuration is broken', async () => {
  const place = sandboxHere(TOPIC);
  place.write('notes/a.md', '# A\n');
  place.write('more/b.md', '# B\n');
  const watch = startWatch(place);
  let said = '';
  watch.stderr?.on('data', (text: Buffer) => {
    said += text;
  });
  await expect.poll(() => indexed(place).length).toBe(1);
  place.write('.ken/config.toml', `${TOPIC}[kb.topic.more\n`);
  await expect.poll(() => said).toContain('the configuration from before counts');
  place.write('notes/c.md', '# C\n');
  await expect.poll(() => indexed(place).length).toBe(2);
  place.write('.ken/config.toml', `${TOPIC}[kb.topic.more]\ntitle = "More"\nsubjects = "more"\n`);
  await expect.poll(() => indexed(place).length).toBe(3);
  await expect.poll(() => said).toContain('7 directories watched');
  watch.kill('SIGINT');
  const [code] = await once(watch, 'close');
  expect({ code, said: said.split('\n').at(-2) }).toEqual({
    code: 130,
    said: '7 directories watched; Ctrl-C ends it.',
  });
});

it('goes on by itself while an MCP server or the page of a workspace runs', async () => {
  const place = sandbox(TOPIC);
  place.write('notes/a.md', '# A\n');
  const servers = [startWatch(place, ['mcp']), startWatch(place, ['web', '--no-open'])];
  await expect.poll(() => indexed(place).length).toBe(1);
  place.write('notes/b.md', '# B\n');
  await expect.poll(() => indexed(place).length).toBe(2);
  for (const server of servers) {
    server.kill('SIGINT');
    await once(server, 'exit');
  }
});
