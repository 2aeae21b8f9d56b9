/** The workspace that the server serves: another one when the client opens another project, and anew when its configuration changes. */

import type { WorkspaceApp } from '../../../app.ts';
import { beginUpkeep } from '../../upkeep.ts';
import { type ServedWorkspace, type ServeInput, servedWorkspace } from '../served-workspace.ts';
import { configurationText } from './configuration-text.ts';

export interface Serving {
  /** Runs `work` on the workspace of the open project, which stays open until the work has ended. */
  use<Result>(work: (served: ServedWorkspace) => Promise<Result>): Promise<Result>;
  /**
   * Serves the first of these directories that is in a workspace, and if none is, the workspace of the start. Later
   * calls of `use` wait for that.
   */
  openFirst(directories: Promise<readonly string[]>): void;
  /** Opens the workspace again if its configuration or the trust in it has changed. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface ServingInput extends ServeInput {
  /** The workspace to begin with. */
  open(): Promise<WorkspaceApp>;
  /** The workspace around a directory; undefined if there is none. */
  openAt(directory: string): Promise<WorkspaceApp | undefined>;
}

interface Place {
  readonly served: ServedWorkspace;
  /** As it was when the workspace was opened. */
  readonly configuration: string;
  calls: number;
  isRetired: boolean;
  /** Ends the watch that keeps its index fresh. */
  endWatch(): Promise<void>;
}

export async function startServing(input: ServingInput): Promise<Serving> {
  const placeOf = (app: WorkspaceApp) => openedPlace(app, input);
  const first = await placeOf(await input.open());
  /** By the root of the workspace. */
  const places = new Map<string, Place>([[rootOf(first), first]]);
  let current = first;
  let switching: Promise<void> = Promise.resolve();

  async function placeAt(directory: string): Promise<Place | undefined> {
    const app = await input.openAt(directory);
    if (!app) return undefined;
    const known = places.get(app.workspace.root);
    if (!known) return placeOf(app);
    await app.close();
    return known;
  }

  async function firstPlace(directories: readonly string[]): Promise<Place> {
    for (const directory of directories) {
      try {
        const place = await placeAt(directory);
        if (place) return place;
      } catch (error) {
        input.report(error);
      }
    }
    return places.get(rootOf(first)) ?? first;
  }

  async function reopen(): Promise<void> {
    const old = current;
    if ((await configurationText(old.served.app)) === old.configuration) return;
    const app = await input.openAt(rootOf(old));
    if (!app) return;
    current = await placeOf(app);
    places.set(rootOf(current), current);
    old.isRetired = true;
    if (old.calls === 0) await closed(old);
  }

  return {
    async use(work) {
      await switching;
      const place = current;
      place.calls++;
      try {
        return await work(place.served);
      } finally {
        place.calls--;
        if (place.isRetired && place.calls === 0) void closed(place).catch(input.report);
      }
    },
    openFirst(directories) {
      switching = Promise.all([directories, switching]).then(async ([found]) => {
        current = await firstPlace(found);
        places.set(rootOf(current), current);
      });
      switching = switching.catch(input.report);
    },
    async refresh() {
      // A configuration that is being written may be broken for a moment; the old one serves meanwhile.
      switching = switching.then(reopen).catch(({ message }: Error) => input.note(message));
      await switching;
    },
    async close() {
      await switching;
      await Promise.all([...places.values()].map(({ endWatch }) => endWatch()));
      await Promise.all([...places.values()].map(({ served }) => served.jobs.close()));
      await Promise.all([...places.values()].map(({ served }) => served.app.close()));
    },
  };
}

async function openedPlace(app: WorkspaceApp, input: ServingInput): Promise<Place> {
  return {
    served: servedWorkspace(app, input),
    configuration: await configurationText(app),
    calls: 0,
    isRetired: false,
    endWatch: beginUpkeep(app, input.report),
  };
}

function rootOf({ served }: Place): string {
  return served.app.workspace.root;
}

/** Its jobs go on until they end. */
async function closed({ served, endWatch }: Place): Promise<void> {
  await endWatch();
  await served.jobs.settled();
  await served.app.close();
}
