import type { App } from '../../../../app.ts';
import type { Actor } from '../../../../domain/ledger/add-entry.ts';
import type { Invocation } from '../../command.ts';

/** `KEN_ACTOR`, or the operator. `KEN_RUN_ID` groups the events of several commands. */
export async function actorOf(
  { environment }: Pick<Invocation, 'environment'>,
  app: Pick<App, 'operator' | 'ids'>,
): Promise<Actor> {
  return {
    name: environment.KEN_ACTOR || (await app.operator.name()),
    run: environment.KEN_RUN_ID || app.ids.ulid(),
  };
}
