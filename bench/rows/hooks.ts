import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from '../bench.ts';
import type { Row } from '../row.ts';

const SUBJECTS = 1_000;
const RULES = 50;
const LAUNCHER = path.join(import.meta.dirname, '../../bin/ken.cjs');

export const rows: readonly Row[] = [
  {
    name: 'hook-session-start',
    subject: `ken hook session-start, with ${SUBJECTS} subjects and ${RULES} rules`,
    floor: 'node -e 0',
    bar: 3,
    prepare(bench) {
      fillWorkspace(bench);
      const input = JSON.stringify({ hook_event_name: 'SessionStart', source: 'startup' });
      return {
        subject: bench.ken(['hook', 'session-start'], { input }),
        floor: bench.node(['-e', '0']),
      };
    },
  },
];

function fillWorkspace({ directory, home }: Bench): void {
  const put = (file: string, content: string) => {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), content);
  };
  put('.ken/config.toml', '[kb.topic.team]\nsubjects = "docs"\n');
  for (let at = 0; at < SUBJECTS; at++) put(`docs/subject-${at}.md`, `# Subject ${at}\n\nA guide.\n`);
  mkdirSync(path.join(home, 'data'), { recursive: true });
  writeFileSync(path.join(home, 'data/authority.toml'), 'approvals.noninteractive = "allow"\n', {
    mode: 0o600,
  });
  const lines = Array.from({ length: RULES }, (_, at) => [
    `k add --id source-${at} --title Rule --text "Rule ${at}: tag before you deploy." --provenance cmd:x`,
    `k promote source-${at} --evidence-ref a --reason agreed --as procedural/rule-${at}`,
  ]).flat();
  const script = ['set -e', ...lines.map((line) => `"${process.execPath}" "${LAUNCHER}" ${line} >/dev/null`)];
  const env = { PATH: process.env.PATH, HOME: home, KEN_HOME: home, LANG: 'C.UTF-8', TZ: 'UTC' };
  const { status, stderr } = spawnSync('bash', ['-c', script.join('\n')], {
    cwd: directory,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The rules were not made: ${stderr}`);
}
