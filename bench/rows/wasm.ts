import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { topicDirectoriesOnDisk, topicFilesOnDisk } from '../../src/adapters/files/subject-files.ts';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import { withTopicMetadata } from '../../src/domain/knowledge-base/learn/learn.ts';
import { type LearnRunner, nativeLearnRunner } from '../../src/domain/knowledge-base/learn/learn-tool.ts';
import { sandboxedLearnRunner } from '../../src/domain/knowledge-base/learn/sandboxed-learn.ts';
import type { ComponentHost } from '../../src/domain/tools/component-host.ts';
import type { Bench } from '../bench.ts';
import type { Row, Side } from '../row.ts';

/** Twelve subjects of a kilobyte. */
const SUBJECTS = 12;
const TOPIC = {
  id: 'team',
  directory: 'kb',
  enabled: true,
  followSymlinks: false,
  learned: [],
  disabled: [],
};

export const rows: readonly Row[] = [
  {
    name: 'wasm-warm',
    subject: 'learn, 10 of 12 subjects, as a component in a running process',
    floor: 'the same natively',
    bar: 100,
    prepare(bench) {
      writeTopic(bench.directory);
      const { directory, home } = bench;
      const components = wasmComponentHost({ cacheDirectory: home, memoryMib: 256, outputBytes: 262_144 });
      const native = nativeLearnRunner({ topicFiles: topicFilesOnDisk(directory) });
      const topicDirectories = topicDirectoriesOnDisk(directory);
      const limits = { timeoutMs: 30_000 };
      const sandboxed = sandboxedLearnRunner({ components, topicDirectories }, native, limits);
      return {
        subject: thousandTimes(bench, sandboxed, 20),
        floor: thousandTimes(bench, native, 1000),
        close: () => components.close(),
      };
    },
  },
  {
    name: 'wasm-cold',
    subject: 'ken tools run learn, as a component translated before',
    floor: 'node -e 0',
    bar: 6,
    prepare({ directory, ken, node }) {
      writeTopic(directory);
      const given = JSON.stringify({ topic: 'team', subjects: ['subject-3'] });
      return { subject: ken(['tools', 'run', 'learn', given, '-q']), floor: node(['-e', '0']) };
    },
  },
  {
    name: 'wasm-call',
    subject: 'a call of a small component in C, in a running process',
    floor: 'six milliseconds',
    bar: 1,
    async prepare({ home, inProcess }) {
      const components = wasmComponentHost({ cacheDirectory: home, memoryMib: 64, outputBytes: 1000 });
      const call = () => misbehave(components, 'name', 30_000);
      await call();
      return { subject: inProcess(call), floor: () => 6, close: () => components.close() };
    },
  },
  {
    name: 'wasm-stop',
    subject: 'the end of a component that never yields, after its time-out',
    floor: 'two hundred milliseconds',
    bar: 1,
    async prepare({ home, inProcess }) {
      const components = wasmComponentHost({ cacheDirectory: home, memoryMib: 64, outputBytes: 1000 });
      await misbehave(components, 'name', 30_000);
      const stopped = inProcess(() => misbehave(components, 'loop', TIMEOUT_MS).catch(() => undefined));
      const subject = async () => (await stopped()) - TIMEOUT_MS;
      return { subject, floor: () => 200, close: () => components.close() };
    },
  },
];

const TIMEOUT_MS = 300;
const MISBEHAVE = path.join(import.meta.dirname, '../../test/wasm/misbehave/misbehave.wasm');

function misbehave(components: ComponentHost, how: string, timeoutMs: number) {
  const request = { action: 'run', arguments: { do: how }, answers: {} } as const;
  const call = { component: { file: MISBEHAVE }, tool: 'misbehave', request, root: '/', directories: [] };
  return components.run({ ...call, timeoutMs }, new AbortController().signal);
}

/** Time of a thousand calls, estimated from fewer. */
function thousandTimes({ inProcess }: Bench, runner: LearnRunner, calls: number): Side {
  const given = withTopicMetadata(
    { topic: 'team', subjects: ['subject-?'] },
    { ...TOPIC, maxSubjectBytes: 262_144 },
  );
  const { signal } = new AbortController();
  const side = inProcess(async () => {
    for (let at = 0; at < calls; at++) {
      const { outcome } = await runner.run(TOPIC, given, signal);
      if (outcome.type !== 'success') throw new Error(JSON.stringify(outcome));
    }
  });
  return async () => ((await side()) / calls) * 1000;
}

function writeTopic(directory: string): void {
  mkdirSync(path.join(directory, 'kb'), { recursive: true });
  mkdirSync(path.join(directory, '.ken'), { recursive: true });
  writeFileSync(path.join(directory, '.ken/config.toml'), '[kb.topic.team]\nsubjects = "kb"\n');
  for (let at = 0; at < SUBJECTS; at++) {
    const text = `# Subject ${at}\n\n${'A line about what the team knows.\n'.repeat(30)}`;
    writeFileSync(path.join(directory, 'kb', `subject-${at}.md`), text);
  }
}
