/** The interfaces that this host offers and the function that a tool exports, as the files in `wit/` define them. */

import { parseWit, type WitInterface } from './parse-wit.ts';
import { WitResolver } from './resolve-wit.ts';
import type { FunctionType, InterfaceType } from './value-type.ts';

export interface HostTypes {
  /** By the name that a component imports, with its version; undefined for what is not offered. */
  interface(name: string): InterfaceType | undefined;
  readonly run: FunctionType;
}

/** `wit` are the texts of the files in `wit/`. */
export function hostTypes(wit: readonly string[]): HostTypes {
  const documents = wit.map(parseWit);
  const interfaces = documents.flatMap((document) => document.interfaces);
  const resolver = new WitResolver(interfaces);
  const offered = new Map(interfaces.filter(isOffered).map((each) => [each.name, each]));
  const resolved = new Map<string, InterfaceType>();
  const resolve = (each: WitInterface): InterfaceType => {
    const known = resolved.get(each.name);
    if (known) return known;
    const type = { types: resolver.namedTypes(each), functions: resolver.functions(each) };
    resolved.set(each.name, type);
    return type;
  };
  const worlds = documents.flatMap((document) => document.worlds);
  return {
    interface(name) {
      const found = offered.get(offeredName(name) ?? '');
      return found && resolve(found);
    },
    run: runOf(worlds, resolver),
  };
}

/** `wasi:cli/run` is for exports. */
function isOffered({ name, isUnstable }: WitInterface): boolean {
  return !isUnstable && name !== 'wasi:cli/run';
}

/** `jp:tool` is the same contract under the name it was first published with. */
const CONTRACT = /^(?:ken|jp)(:tool\/types)@0\.1\.\d+$/;
const WASI = /^(wasi:[a-z]+\/[a-z-]+)@0\.2\.\d+$/;

function offeredName(name: string): string | undefined {
  const contract = CONTRACT.exec(name)?.[1];
  return contract === undefined ? WASI.exec(name)?.[1] : `ken${contract}`;
}

function runOf(worlds: readonly WitInterface[], resolver: WitResolver): FunctionType {
  const world = worlds.find(({ name }) => name === 'ken:tool/tool');
  const run = world && resolver.functions(world).get('run');
  if (!run) throw new Error('wit/ has no world "tool" with a function "run"');
  return run;
}
