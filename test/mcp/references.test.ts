import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { connect, ERAS } from './connect.ts';

/** A workspace, and a repository beside it that became a reference topic. */
async function withTopic(): Promise<{ place: Sandbox; commit: string }> {
  const place = sandbox('');
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  writeFileSync(path.join(place.home, 'config/config.toml'), 'approvals.noninteractive = "allow"\n');
  const repository = path.dirname(place.write('kettle/README.md', '# Kettle\n\nBoils water.\nWhistles.\n'));
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'kettle');
  const created = await place.ken(['ref', 'create', '--title', 'Kettle', '--git', './kettle']);
  expect([created.code, created.stderr]).toEqual([0, expect.any(String)]);
  return { place, commit: git('rev-parse', 'HEAD').trim() };
}

it.each(ERAS)('lists reference topics, and reads what was fetched by its address: $revision', async (era) => {
  const { place, commit } = await withTopic();
  const { client } = await connect(place, { era });
  const { resources } = await client.listResources();
  const topic = resources.find(({ uri }) => uri.startsWith('ken://ref/'));
  expect(topic).toMatchObject({ uri: 'ken://ref/topic-kettle', title: 'Kettle' });
  const about = await client.readResource({ uri: 'ken://ref/topic-kettle' });
  expect(about.contents).toMatchObject([{ text: expect.stringMatching(/^# Kettle\n[\s\S]*Sources:\n\n- /) }]);
  const lines = await client.readResource({ uri: `ken://ref/topic-kettle@${commit}/README.md#L3-L4` });
  expect(lines.contents).toMatchObject([{ text: 'Boils water.\nWhistles.' }]);
  await expect(client.readResource({ uri: 'ken://ref/topic-none' })).rejects.toMatchObject({ code: -32602 });
});
