/** Topics that two people of a team push and pull, each in a workspace and a library of their own. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { ptyProblem } from '../cli/pty.ts';
import { databaseUrl, newTenant, postgresProblem, socketDirectory } from './postgres.ts';

function person(team: string, config = ''): Sandbox {
  const place = sandboxHere(config);
  writeOwnConfig(place.home, `team.name = "${team}"\nteam.workspace = "garden"\n`);
  return place;
}

const PROJECT =
  '[kb.topic.project]\nsubjects = ".ken/kb/project"\ntitle = "Project"\ndisabled = ["private"]\n';

function write(place: Sandbox, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(place.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const read = (place: Sandbox, name: string) => readFileSync(path.join(place.root, name), 'utf8');

describe.skipIf(postgresProblem() !== undefined || ptyProblem() !== undefined)('two people of a team', () => {
  async function two() {
    const { team } = newTenant();
    const [ada, bob] = [person(team, PROJECT), person(team)];
    const options = { environment: { KEN_TEAM_URL: await databaseUrl() } };
    const place = `${team}/garden at ${await socketDirectory()}/postgres`;
    const push = (who: Sandbox, ...words: string[]) =>
      atTerminal(who, ['team', 'push', '--yes', ...words], [], { columns: 200, ...options });
    const pull = (who: Sandbox, ...words: string[]) => who.ken(['team', 'pull', '--yes', ...words], options);
    const standings = async (who: Sandbox) => {
      const { topics } = JSON.parse((await who.ken(['team', 'status', '--json'], options)).stdout);
      return topics.map(({ id, standing }: { id: string; standing: string }) => `${id}: ${standing}`);
    };
    return { ada, bob, options, place, push, pull, standings };
  }

  it('share a topic of the knowledge base by its name, and keep it equal from then on', async () => {
    const { ada, bob, options, place, push, pull, standings } = await two();
    write(ada, {
      '.ken/kb/project/deploy.md': '# Deploy\n\nPush the green button.\n',
      '.ken/kb/project/private.md': 'not for others\n',
      '.ken/kb/project/.rules.md': 'hidden prose\n',
      '.ken/kb/project/.envrc': 'export X=1\n',
      '.ken/kb/project/sub/CLAUDE.md': 'do as I say\n',
    });
    // Nothing leaves that was not named.
    const nothing = await ada.ken(['team', 'push', '--dry-run'], options);
    expect([nothing.code, nothing.stdout]).toEqual([0, '']);
    const preview = await ada.ken(['team', 'push', '--topic', 'project', '--dry-run'], options);
    expect({ ...preview, stdout: preview.stdout.replace(/ +$/gm, '') }).toEqual({
      code: 0,
      stdout: 'topic    what  files  bytes  why\nproject  new       2     46\n',
      stderr: `topics to ${place}: 1 new, 0 updated, 0 unchanged, 0 left out\n`,
    });
    expect((await push(ada, '--topic', 'project')).text).toContain('1 topic copied.');
    expect(await standings(ada)).toEqual(['project: same']);
    expect(await standings(bob)).toEqual(['project: only there']);

    expect((await pull(bob)).stderr).not.toContain('topic');
    const pulled = await pull(bob, '--topic', 'project');
    expect([pulled.code, pulled.stderr]).toEqual([
      0,
      `topics from ${place}: 1 new, 0 updated, 0 unchanged, 0 left out\n1 topic copied.\n`,
    ]);
    expect((await bob.ken(['learn', 'project', 'deploy'], options)).stdout).toContain('green button');
    expect(read(bob, '.ken/kb/project/.rules.md')).toBe('hidden prose\n');
    for (const name of ['private.md', '.envrc', 'sub/CLAUDE.md'])
      expect(existsSync(path.join(bob.root, '.ken/kb/project', name)), name).toBe(false);
    expect(await standings(bob)).toEqual(['project: same']);
    const again = await pull(bob, '--topic', 'project');
    expect(again.stderr).toBe(`topics from ${place}: 0 new, 0 updated, 1 unchanged, 0 left out\n`);

    // Bob changes it; without a name, what both have is kept equal.
    write(bob, {
      '.ken/kb/project/deploy.md': '# Deploy\n\nPush the red button.\n',
      '.ken/kb/project/new.md': 'new\n',
    });
    expect(await standings(bob)).toEqual(['project: newer here']);
    expect((await push(bob)).text).toContain('1 topic copied.');
    expect(await standings(ada)).toEqual(['project: newer there']);
    expect((await push(ada)).text).toContain('the other side has a newer one');
    expect((await pull(ada)).stderr).toContain('1 topic copied.');
    expect([read(ada, '.ken/kb/project/deploy.md'), read(ada, '.ken/kb/project/private.md')]).toEqual([
      '# Deploy\n\nPush the red button.\n',
      'not for others\n',
    ]);

    // Both change it: nobody's text is lost unless somebody says so.
    write(ada, { '.ken/kb/project/deploy.md': 'by Ada\n' });
    write(bob, { '.ken/kb/project/deploy.md': 'by Bob\n' });
    await push(ada);
    const conflict = await pull(bob);
    expect([conflict.code, conflict.stdout]).toEqual([
      1,
      expect.stringContaining('both sides have changed it'),
    ]);
    expect(read(bob, '.ken/kb/project/deploy.md')).toBe('by Bob\n');
    expect((await pull(bob, '--topic', 'project', '--replace')).code).toBe(0);
    expect(read(bob, '.ken/kb/project/deploy.md')).toBe('by Ada\n');
    // A copy of what it replaced is kept.
    const { backups } = JSON.parse((await bob.ken(['backup', '--list', '--json'], options)).stdout);
    expect(backups.length).toBeGreaterThan(0);
  });

  it('share a reference topic without approvals and without places of the machine', async () => {
    const { ada, bob, options, push, pull, standings } = await two();
    write(ada, { 'manuals/signals.md': '# Signals\n\nA signal tells its readers.\n', 'manuals/b.md': 'B\n' });
    await ada.ken(['ref', 'import', path.join(ada.root, 'manuals'), '--title', 'Manuals'], options);
    expect((await push(ada, '--topic', 'topic-manuals')).text).toContain('1 topic copied.');
    expect((await pull(bob, '--topic', 'topic-*')).stderr).toContain('1 topic copied.');
    const shown = (await bob.ken(['ref', 'show', 'topic-manuals', '--json'], options)).stdout;
    expect([shown.includes(ada.root), shown.includes('elsewhere:manuals')]).toEqual([false, true]);
    const found = await bob.ken(['ref', 'search', 'signal readers'], options);
    expect(found.stdout).toContain('A signal tells its readers');
    expect([await standings(ada), await standings(bob)]).toEqual([
      ['project: only here', 'topic-manuals: same'],
      ['topic-manuals: same'],
    ]);
    const again = await pull(bob);
    expect(again.stderr).toContain('topics from');
    expect(again.stderr).toContain('0 new, 0 updated, 1 unchanged');

    await bob.ken(['ref', 'update', 'topic-manuals', '--tag', 'ui'], options);
    expect(await standings(bob)).toEqual(['topic-manuals: newer here']);
    await push(bob);
    await pull(ada);
    expect((await ada.ken(['ref', 'ls', '--json'], options)).stdout).toContain('"ui"');
  });

  it('fill a topic whose directory is not there yet', async () => {
    const { ada, push, pull, standings } = await two();
    write(ada, { '.ken/kb/project/a.md': 'A\n', '.ken/kb/project/b.md': 'B\n' });
    await push(ada, '--topic', 'project');
    rmSync(path.join(ada.root, '.ken/kb/project'), { recursive: true });
    expect(await standings(ada)).toEqual(['project: only there']);
    expect((await pull(ada, '--topic', 'project')).stderr).toContain('1 topic copied.');
    expect(read(ada, '.ken/kb/project/b.md')).toBe('B\n');
    expect(await standings(ada)).toEqual(['project: same']);
  });

  it('share a conversation on purpose, without approvals, and take things back', async () => {
    const { ada, bob, options, push, pull } = await two();
    const at = '2030-01-01T12:00:00.000Z';
    const lines = [
      { type: 'conversation', id: '1m7ezjkjqnxq', title: 'How do we deploy?', created_at: at, active_at: at },
      { type: 'turn_start', at, turn: 1 },
      { type: 'user_message', at, text: 'How do we deploy?' },
      { type: 'approval', at, id: '1', decision: 'approved', summary: 'Run the deployer?' },
      { type: 'assistant_message', at, text: 'With the green button.', model: 'm', finish: 'stop' },
    ];
    write(ada, { 'talk.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
    await ada.ken(['c', 'import', 'talk.jsonl'], options);
    const preview = await ada.ken(
      ['team', 'push', '--conversation', '@last', '--dry-run', '--json'],
      options,
    );
    const { entries, topics, conversations } = JSON.parse(preview.stdout);
    expect([entries, topics, conversations]).toMatchObject([
      [],
      [],
      [{ title: 'How do we deploy?', what: 'imported', turns: 1 }],
    ]);
    const [{ id }] = conversations;
    expect((await push(ada, '--conversation', '@last')).text).toContain('1 conversation copied.');
    expect((await push(ada, '--conversation', '@last')).text).toContain('0 new, 0 updated, 1 unchanged');
    expect((await bob.ken(['c', 'ls', '--json'], options)).stdout).toBe('{"conversations":[]}\n');
    expect((await pull(bob, '--conversation', id)).stderr).toContain('1 conversation copied.');
    const printed = (await bob.ken(['c', 'print', '@last'], options)).stdout;
    expect(printed).toContain('With the green button.');
    expect((await bob.ken(['c', 'export', '@last', '--format', 'jsonl'], options)).stdout).not.toContain(
      'deployer',
    );
    await pull(bob, '--conversation', id);
    expect(JSON.parse((await bob.ken(['c', 'ls', '--json'], options)).stdout).conversations.length).toBe(1);

    const unattended = await ada.ken(['team', 'remove', id, '--yes'], options);
    expect([unattended.code, unattended.stderr]).toEqual([
      4,
      expect.stringContaining('no person at a terminal'),
    ]);
    write(ada, { '.ken/kb/project/deploy.md': '# Deploy\n' });
    await push(ada, '--topic', 'project');
    const removed = await atTerminal(ada, ['team', 'remove', id, 'project', '--yes'], [], {
      columns: 200,
      ...options,
    });
    expect(removed.text).toContain(`Removed ${id}, project.`);
    const status = JSON.parse((await ada.ken(['team', 'status', '--json'], options)).stdout);
    expect([
      status.conversations,
      status.topics.map(({ standing }: { standing: string }) => standing),
    ]).toEqual([[], ['only here']]);
    expect((await ada.ken(['team', 'remove', 'project', '--yes'], options)).stderr).toContain(
      'The team has no topic or conversation "project"',
    );
  });

  it('leave out what looks like a secret, and what is the repository itself', async () => {
    const { ada, options } = await two();
    write(ada, { '.ken/kb/project/keys.md': `The token is ghp_${'a'.repeat(36)}.\n` });
    const { code, stdout } = await ada.ken(['team', 'push', '--topic', 'project', '--dry-run'], options);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('it looks like it holds a secret (github-token)'),
    ]);
    const unknown = await ada.ken(['team', 'push', '--topic', 'projekt', '--dry-run'], options);
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      'ken: There is no topic "projekt", neither here nor in the team.\nhint: See "ken kb ls", "ken ref ls" and "ken team status".\n',
    ]);
  });

  it('pull no file that would run, instruct or lie elsewhere, whatever the database says', async () => {
    const { team } = newTenant();
    const bob = person(team, '[kb.topic.code]\nsubjects = "src"\n');
    const options = { environment: { KEN_TEAM_URL: await databaseUrl() } };
    const { openDatabase } = await import('../../src/adapters/postgres/seam/open-database.ts');
    const { postgresSharedTopics } = await import(
      '../../src/adapters/postgres/knowledge-base/shared-topics.ts'
    );
    const { sharedTopicDigest } = await import('../../src/domain/team/topics/shared-topics.ts');
    const { systemHasher } = await import('../../src/adapters/system/primitives.ts');
    const database = await openDatabase(await databaseUrl());
    const topics = postgresSharedTopics(database, { team, workspace: 'garden' });
    const put = async (id: string, name: string) => {
      const contents = new Map([[name, Buffer.from('#!/bin/sh\n')]]);
      const listed = [{ path: name, sha256: systemHasher.sha256('#!/bin/sh\n') }];
      await topics.put(
        { id, about: {}, contents, digest: sharedTopicDigest(systemHasher, {}, listed) },
        undefined,
      );
    };
    await put('up', '../../../x.md');
    await put('git', '.git/hooks/pre-commit');
    await put('agents', 'AGENTS.md');
    await put('hidden', '.envrc');
    await put('code', 'index.js');
    await put('ken', 'x.md');
    await put('..', 'x.md');
    await database.close();
    write(bob, { 'src/a.md': 'a\n' });
    const { code, stdout } = await bob.ken(
      ['team', 'pull', '--yes', '--json', '--topic', '*', '--replace'],
      options,
    );
    const ends = JSON.parse(stdout).topics.map(({ id, what }: { id: string; what: string }) => [id, what]);
    expect([code, ends]).toEqual([
      1,
      [
        ['agents', 'refused'],
        ['code', 'refused'],
        ['git', 'refused'],
        ['hidden', 'refused'],
        ['up', 'refused'],
      ],
    ]);
    expect(existsSync(path.join(bob.root, 'src/index.js'))).toBe(false);
    expect(read(bob, 'src/a.md')).toBe('a\n');
    expect(existsSync(path.join(bob.root, '.ken/kb'))).toBe(false);
  });
});
