import { type Connect, connectPinned } from '../../src/adapters/http/connect.ts';
import { httpWebClient } from '../../src/adapters/http/web-client.ts';
import { Fault } from '../../src/base/fault.ts';
import { type Clock, fixedClock } from '../../src/base/time.ts';
import { parseAllowList } from '../../src/domain/web/allow-list.ts';
import { type HostGuard, hostGuard, type NameResolver } from '../../src/domain/web/host-guard.ts';
import type { WebAnswer, WebLimits, WebPage, WebRequest } from '../../src/domain/web/web-client.ts';

/** An internet of loopback servers: names with addresses as we like, and addresses that lead to servers of ours. */
export interface Internet {
  /** Answers of the name server, in order; the last one is repeated. */
  readonly names?: Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>;
  /** By address, the port on loopback that stands for it. */
  readonly machines?: Readonly<Record<string, number>>;
  readonly allow?: readonly string[];
  readonly limits?: Partial<WebLimits>;
  readonly authorities?: string;
  readonly guard?: HostGuard;
  readonly clock?: Clock;
  /** Connects for real, to whatever the guard lets through. */
  readonly isReal?: boolean;
}

export const LIMITS: WebLimits = { maxBytes: 1_000_000, timeoutMs: 10_000, idleMs: 10_000, maxRedirects: 5 };
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
export const never = new AbortController().signal;

export interface Playground {
  get(url: string, request?: Omit<WebRequest, 'url'>, signal?: AbortSignal): Promise<WebAnswer>;
  /** The same, when it must be a page. */
  page(url: string, request?: Omit<WebRequest, 'url'>): Promise<WebPage>;
  /** Names in the order they were asked for. */
  readonly asked: readonly string[];
  /** Addresses in the order they were connected to. */
  readonly connected: readonly string[];
}

export function playground(internet: Internet): Playground {
  const asked: string[] = [];
  const connected: string[] = [];
  const names = scriptedNames(internet.names ?? {}, asked);
  const connect: Connect = async (pinned, signal) => {
    const [address = ''] = pinned.addresses;
    connected.push(address);
    if (internet.isReal) return connectPinned(pinned, signal);
    const port = internet.machines?.[address];
    if (port === undefined) throw new Error(`no machine at ${address}`);
    return connectPinned({ ...pinned, addresses: ['127.0.0.1'], port }, signal);
  };
  const client = httpWebClient(
    {
      guard: internet.guard ?? hostGuard({ names }, parseAllowList(internet.allow ?? [])),
      clock: internet.clock ?? fixedClock(NOW),
      connect,
      ...(internet.authorities === undefined ? {} : { authorities: internet.authorities }),
    },
    { ...LIMITS, ...internet.limits },
  );
  const get: Playground['get'] = (url, request = {}, signal = never) =>
    client.get({ url, ...request }, signal);
  return {
    get,
    async page(url, request) {
      const answer = await get(url, request);
      if (answer.type !== 'page') throw new Error(`${url} is ${answer.type}`);
      return answer;
    },
    asked,
    connected,
  };
}

export function scriptedNames(names: NonNullable<Internet['names']>, asked: string[] = []): NameResolver {
  return {
    async resolve(name) {
      const times = asked.filter((one) => one === name).length;
      asked.push(name);
      const script = names[name];
      if (!script) throw new Fault('net/dns', `There is no host ${name}.`);
      const answers = script.map((answer) => (typeof answer === 'string' ? undefined : answer));
      const own = answers.filter((answer) => answer !== undefined);
      if (own.length === 0) return script.filter((answer) => typeof answer === 'string');
      return own[Math.min(times, own.length - 1)] ?? [];
    },
  };
}

/** The error of a promise, as an operator sees it. */
export async function faultOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Fault) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it did not fail');
}
