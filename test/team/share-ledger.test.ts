import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { ptyProblem } from '../cli/pty.ts';
import { databaseUrl, newTenant, postgresProblem, socketDirectory } from './postgres.ts';

const NOBODY_THERE = 'postgres://ada:hidden-word@127.0.0.1:1/team';

function person(team: string): Sandbox {
  const place = sandboxHere('');
  writeOwnConfig(place.home, `team.name = "${team}"\nteam.workspace = "garden"\n`);
  return place;
}

const adding = (id: string, text: string, ...more: string[]) => [
  'k',
  'add',
  '--id',
  id,
  '--title',
  `About ${id}`,
  '--text',
  text,
  '--provenance',
  'cmd:x',
  ...more,
];

it('without a team says how to set one up, and that the workspace has no name in it', async () => {
  const { ken } = sandboxHere('');
  expect(await ken(['team', 'status'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ken: No team is set up.\n' +
      'hint: Set the address of its database with "ken config set --user team.url postgres://…", or in KEN_TEAM_URL.\n',
  });
  const { code, stderr } = await ken(['team', 'pull'], { environment: { KEN_TEAM_URL: NOBODY_THERE } });
  expect([code, stderr]).toEqual([
    2,
    'ken: This workspace has no name in the team.\n' +
      'hint: Agree on one and set it with "ken config set team.workspace NAME".\n',
  ]);
});

it('takes the address from nothing that came with a workspace, and shows no password', async () => {
  const place = sandboxHere('team.url = "postgres://ada:other-word@db.example.org/team"\n');
  expect(await place.ken(['team', 'status'])).toEqual({
    code: 4,
    stdout: '',
    stderr:
      `ken: ${place.root}/.ken/config.toml:1:1: "team.url" can be set only in your own config file.\n` +
      'hint: Use "ken config set --user team.url …".\n',
  });
  place.write('.ken/config.toml', '');
  writeOwnConfig(place.home, `team.url = "${NOBODY_THERE}"\n`);
  const { stdout } = await place.ken(['config', 'show', 'team']);
  expect(stdout).toBe(
    'team.url = "postgres://ada:***@127.0.0.1:1/team"\nteam.name = "team"\nteam.search = "auto"\n',
  );
});

it('says that the team cannot be reached, while everything else works', async () => {
  const { ken } = person('nobody');
  const options = { environment: { KEN_TEAM_URL: NOBODY_THERE } };
  expect((await ken(adding('one', 'The kettle is loud.'), options)).code).toBe(0);
  for (const words of [['status'], ['push', '--dry-run'], ['pull', '--yes']])
    expect(await ken(['team', ...words], options)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ken: 127.0.0.1:1/team cannot be reached.\n' +
        'hint: Check that PostgreSQL runs there and try again. What is in this workspace works without it.\n',
    });
  expect((await ken(['k', 'list'], options)).stdout).toContain('About one');
});

describe.skipIf(postgresProblem() !== undefined || ptyProblem() !== undefined)('two people of a team', () => {
  it('push, pull, pull again, and leave alone what both have changed', async () => {
    const { team } = newTenant();
    const [ada, bob] = [person(team), person(team)];
    const options = { environment: { KEN_TEAM_URL: await databaseUrl() } };
    const place = `${team}/garden at ${await socketDirectory()}/postgres`;
    await ada.ken(adding('kettle', 'The kettle is loud.', '--merge-key', 'kettle'), options);
    await ada.ken(adding('boats', 'Boats leave at nine.'), options);

    const preview = {
      code: 0,
      stdout: 'entry   what  why\nboats   new\nkettle  new\n',
      stderr: `to ${place}: 2 new, 0 updated, 0 unchanged, 0 left out\n`,
    };
    expect(trimmed(await ada.ken(['team', 'push', '--dry-run'], options))).toEqual(preview);
    const unattended = await ada.ken(['team', 'push', '--yes'], options);
    expect([unattended.code, unattended.stderr]).toEqual([
      4,
      `${preview.stderr}ken: Sharing with the team needs you: there is no person at a terminal.\n` +
        'hint: Run it in a terminal of your own.\n',
    ]);

    const question = `Copy 2 entries to ${place}?`;
    const { code, text } = await atTerminal(
      ada,
      ['team', 'push'],
      [{ after: 'yes / no [no]: ', keys: 'y\r' }],
      { columns: 200, ...options },
    );
    expect([code, text.includes(question), text.endsWith('2 entries copied.\n')]).toEqual([0, true, true]);

    const pulled = await bob.ken(['team', 'pull', '--yes'], options);
    expect([pulled.code, pulled.stderr]).toEqual([
      0,
      `from ${place}: 2 new, 0 updated, 0 unchanged, 0 left out\n2 entries copied.\n`,
    ]);
    expect(
      JSON.parse((await bob.ken(['k', 'show', 'kettle', '--json'], options)).stdout).entry,
    ).toMatchObject({
      content: 'The kettle is loud.',
      merge_key: 'kettle',
    });
    expect((await bob.ken(['team', 'pull', '--yes'], options)).stderr).toBe(
      `from ${place}: 0 new, 0 updated, 2 unchanged, 0 left out\n`,
    );

    for (const [who, words] of [
      [ada, 'It whistles.'],
      [bob, 'It is blue.'],
    ] as const)
      await who.ken(adding('x', words, '--merge-key', 'kettle'), options);
    await atTerminal(ada, ['team', 'push', '--yes'], [], options);
    const { code: left, stdout } = await bob.ken(['team', 'pull', '--yes', '--json'], options);
    expect([left, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        copied: false,
        entries: [
          { id: 'boats', what: 'unchanged' },
          { id: 'kettle', what: 'conflict' },
        ],
      },
    ]);
    expect((await bob.ken(['team', 'status'], options)).stdout).toBe(
      `team ${place}\npush: 0 new, 0 updated, 1 unchanged, 1 left out\npull: 0 new, 0 updated, 1 unchanged, 1 left out\n`,
    );
  });
});

/** Without blanks at the ends of lines. */
function trimmed<Result extends { stdout: string }>(result: Result): Result {
  return { ...result, stdout: result.stdout.replace(/ +$/gm, '') };
}
