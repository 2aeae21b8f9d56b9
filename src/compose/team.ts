import type { App, TeamPorts, WorkspaceApp } from '../app.ts';
import { Fault } from '../base/fault.ts';
import { lazyPort, lazyResource } from '../base/lazy.ts';
import type { LedgerStore } from '../domain/ledger/store.ts';
import type { Surroundings } from './part.ts';

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
export function openTeam(surroundings: Surroundings, { config }: WorkspaceApp): TeamPorts {
  const { onClose } = surroundings;
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
  };
}
