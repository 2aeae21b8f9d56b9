import { topicFilesOnDisk } from '../adapters/files/subject-files.ts';
import type { Database, Tenant } from '../adapters/postgres/seam/database.ts';
import type { App, TeamPorts, WorkspaceApp } from '../app.ts';
import { Fault } from '../base/fault.ts';
import { lazyPort, lazyResource } from '../base/lazy.ts';
import type { LedgerStore } from '../domain/ledger/store.ts';
import type { ReferenceLibrary } from '../domain/references/topic/library.ts';
import type { SharedConversations } from '../domain/team/conversations/shared-conversations.ts';
import type { SharedBases } from '../domain/team/topics/plan-topic.ts';
import type { SharedTopics } from '../domain/team/topics/shared-topics.ts';
import { ownDirectory, type Surroundings } from './part.ts';

export function teamAddress(
  { request }: Pick<Surroundings, 'request'>,
  { config }: Pick<App, 'config'>,
): string {
  const url = request.environment.KEN_TEAM_URL || config.team.url;
  if (url) return url;
  throw new Fault('team/unset', 'No team is set up.', {
    hint: 'Set the address of its database with "ken config set --user team.url postgres://…", or in KEN_TEAM_URL.',
  });
}

/** Connects at the first use; everything else in the workspace works without a team. */
export function openTeam(surroundings: Surroundings, { config, workspace }: WorkspaceApp): TeamPorts {
  const { onClose, directories } = surroundings;
  const address = () => teamAddress(surroundings, { config });
  const tenant = () => {
    const { name, workspace } = config.team;
    if (workspace) return { team: name, workspace };
    throw new Fault('team/unset', 'This workspace has no name in the team.', {
      hint: 'Agree on one and set it with "ken config set team.workspace NAME".',
    });
  };
  const seam = () => import('../adapters/postgres/seam/open-database.ts');
  const database = lazyResource(async () => (await seam()).openDatabase(address()));
  onClose('store', async () => (await database.current())?.close());
  return {
    team: {
      async describe() {
        const { place } = (await seam()).parseTeamUrl(address());
        return { place, ...tenant() };
      },
    },
    teamLedger: lazyPort<LedgerStore>(async () => {
      const owner = tenant();
      const { postgresLedgerStore } = await import('../adapters/postgres/ledger/ledger-store.ts');
      return postgresLedgerStore(await database.use(), owner);
    }),
    teamLibrary: lazyPort<ReferenceLibrary>(async () => {
      const owner = tenant();
      return openTeamLibrary(await database.use(), owner);
    }),
    teamTopics: lazyPort<SharedTopics>(async () => {
      const owner = tenant();
      const { postgresSharedTopics } = await import('../adapters/postgres/knowledge-base/shared-topics.ts');
      return postgresSharedTopics(await database.use(), owner);
    }),
    teamConversations: lazyPort<SharedConversations>(async () => {
      const owner = tenant();
      const { postgresSharedConversations } = await import(
        '../adapters/postgres/conversations/shared-conversations.ts'
      );
      return postgresSharedConversations(await database.use(), owner);
    }),
    teamBases: lazyPort<SharedBases>(async () => {
      const { team, workspace: name } = tenant();
      const { place } = (await seam()).parseTeamUrl(address());
      const { teamBases } = await import('../adapters/files/team-bases.ts');
      return teamBases(ownDirectory(directories, workspace), `${team}/${name} at ${place}`);
    }),
    plainTopicFiles: topicFilesOnDisk(workspace.root),
  };
}

export async function openTeamLibrary(database: Database, tenant: Tenant): Promise<ReferenceLibrary> {
  const { postgresReferenceLibrary } = await import('../adapters/postgres/references/library.ts');
  const { formatTopicFile, parseTopicFile } = await import('../adapters/files/references/topic-file.ts');
  const topicFormat = { format: formatTopicFile, parse: parseTopicFile };
  return postgresReferenceLibrary({ database, tenant, topicFormat });
}
