import { shareEntries } from '../../../../domain/ledger/exchange/share-entries.ts';
import { topicPairs } from '../../../../domain/team/topics/share-topics.ts';
import { command } from '../../command.ts';
import { printTable } from '../../render/table.ts';
import { actorOf } from '../knowledge/actor.ts';
import { countsOf, MOVE_OPTIONS, move, named, portsFor, summary } from './move.ts';
import { remove } from './remove.ts';
import { pairAsJson, SHARED_COLUMNS, STANDING_COLUMNS, sharedAsJson, topicPorts } from './shared-topics.ts';

const push = command({
  name: 'push',
  summary: 'copy entries of the ledger, topics and conversations to the team',
  description:
    'Shows what would be copied and asks. Without --topic and --ledger it copies the entries, and the topics ' +
    'that both sides have. To share a topic for the first time, name it: by its id in the knowledge base, or as ' +
    'topic-… of the reference library. A conversation is copied only if you name it, without approvals and ' +
    'settings. Entries are copied with all their versions and times. What the team has changed is left alone. ' +
    'Rules and approvals are not copied. Needs you at a terminal. Exit 1 when something was left out.',
  examples: [
    'team push --dry-run',
    'team push',
    'team push --topic project --topic topic-signals',
    'team push --conversation @last',
  ],
  options: MOVE_OPTIONS,
  run: (invocation) => move(invocation, 'push'),
});

const pull = command({
  name: 'pull',
  summary: 'copy entries, topics and conversations of the team into the workspace',
  description:
    'Shows what would be copied and asks. Without --topic and --ledger it copies the entries, and the topics ' +
    'that both sides have. Entries are copied with all their versions and times. What was changed here is left ' +
    'alone. Rules, approvals and verdicts are not copied. Exit 1 when something was left out.',
  examples: ['team pull --dry-run', 'team pull --yes', "team pull --topic '*'"],
  options: MOVE_OPTIONS,
  run: (invocation) => move(invocation, 'pull'),
});

const status = command({
  name: 'status',
  summary: 'compare the ledger and the topics with those of the team',
  examples: ['team status', 'team status --json'],

  async run(invocation) {
    const app = await invocation.open();
    const { terminal } = invocation;
    const team = await app.team.describe();
    const preview = { dryRun: true, allowSecret: false, actor: await actorOf(invocation, app) };
    const [toPush, toPull] = [
      await shareEntries(portsFor(app, 'push'), preview),
      await shareEntries(portsFor(app, 'pull'), preview),
    ];
    const pairs = await topicPairs(topicPorts(app), 'all');
    const talks = await app.teamConversations.list();
    if (terminal.json) {
      const ledger = { push: countsOf(toPush), pull: countsOf(toPull) };
      const conversations = talks.map(sharedAsJson);
      terminal.printJson({ team, ledger, topics: pairs.map(pairAsJson), conversations });
      return;
    }
    terminal.print(`team ${named(team)}`);
    terminal.print(`push: ${summary(toPush)}`);
    terminal.print(`pull: ${summary(toPull)}`);
    if (pairs.length > 0) printTable(terminal, STANDING_COLUMNS, pairs);
    if (talks.length > 0) printTable(terminal, SHARED_COLUMNS, talks);
  },
});

export const team = command({
  name: 'team',
  summary: 'share the ledger and topics with a team',
  description:
    'A team shares through a PostgreSQL database: team.url in your own configuration, or KEN_TEAM_URL. Nothing leaves ' +
    'this machine without "ken team push". While the database cannot be reached, everything else works.',
  examples: ['team status', 'team push --dry-run', 'team pull'],
  subcommands: [status, push, pull, remove],
});
