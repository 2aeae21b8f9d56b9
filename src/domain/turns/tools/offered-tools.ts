import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import { didYouMean } from '../../../base/similar.ts';
import { definitionDigest, type ToolPin, type ToolPinStore } from '../../approvals/tool-pin.ts';
import type { ServerOffer, ToolServers } from '../../tools/tool-servers.ts';

export interface OfferPorts {
  readonly toolServers: ToolServers;
  readonly toolPins: ToolPinStore;
  readonly hasher: Hasher;
}

/** `changed`: it differs from what was accepted. */
export type OfferStanding = 'accepted' | 'changed' | 'new';

export interface JudgedOffer extends ServerOffer {
  readonly standing: OfferStanding;
}

/** Starts the server, but asks nobody. */
export async function offeredTools(
  { toolServers, toolPins, hasher }: OfferPorts,
  { workspace, server }: Pick<ToolPin, 'workspace' | 'server'>,
  signal: AbortSignal,
): Promise<readonly JudgedOffer[]> {
  const offers = await toolServers.list(server, signal);
  const pins = (await toolPins.list(workspace)).filter((pin) => pin.server === server);
  return offers.map((offer) => {
    const pin = pins.find(({ tool }) => tool === offer.tool);
    const isSame = pin?.digest === definitionDigest(hasher, offer.definition);
    return { ...offer, standing: !pin ? 'new' : isSame ? 'accepted' : 'changed' };
  });
}

/** A Fault when the server has no such tool. */
export async function offeredTool(
  ports: OfferPorts,
  wanted: Pick<ToolPin, 'workspace' | 'server' | 'tool'>,
  signal: AbortSignal,
): Promise<JudgedOffer> {
  const offers = await offeredTools(ports, wanted, signal);
  const offer = offers.find(({ tool }) => tool === wanted.tool);
  if (offer) return offer;
  throw noSuchOffer(wanted.server, wanted.tool, offers);
}

export function noSuchOffer(server: string, tool: string, offers: readonly ServerOffer[]): Fault {
  const names = offers.map((offer) => offer.tool);
  return new Fault('tools/not-found', `The server "${server}" offers no tool "${tool}".`, {
    hint: didYouMean(tool, names) ?? `See "ken tools ls --server ${server}".`,
  });
}
