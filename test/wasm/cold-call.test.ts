import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';

const launcher = path.join(import.meta.dirname, '../../bin/ken.cjs');

it('optimises nothing for a single call, which the process would have to wait for at its end', () => {
  const place = sandbox('[kb.topic.t]\nsubjects = "kb"\n');
  for (let at = 0; at < 12; at++)
    place.write(`kb/subject-${at}.md`, `# Subject ${at}\n\n${'Words.\n'.repeat(100)}`);
  const words = ['tools', 'run', 'learn', '{"topic":"t","subjects":["*"]}', '-q'];
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--trace-wasm-compilation-times', launcher, ...words],
    { cwd: place.root, env: { PATH: process.env.PATH, KEN_HOME: place.home }, encoding: 'utf8' },
  );
  const compiled = stdout.split('\n').filter((line) => line.startsWith('Compiled function'));
  expect(status).toBe(0);
  expect(compiled.filter((line) => line.includes('Liftoff')).length).toBeGreaterThan(100);
  expect(compiled.filter((line) => line.includes('TurboFan'))).toEqual([]);
});
