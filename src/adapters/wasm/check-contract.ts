/** Checks, before anything of a component is translated or executed, that it is a tool and uses nothing else. */

import { checkImports } from './check-imports.ts';
import { ComponentError } from './component-error.ts';
import { checkCoreFeatures } from './types/core-features.ts';
import { type DecodedComponent, decodeComponent } from './types/decode-component.ts';
import type { HostTypes } from './types/host-types.ts';
import { type OwnFunction, ownFunctions } from './types/own-functions.ts';
import { functionDifference } from './types/value-type.ts';

export interface CheckedComponent {
  /** The imported interfaces, with versions, sorted. */
  readonly imports: readonly string[];
  /** Functions of its own world; empty for a component that implements the contract. */
  readonly functions: readonly OwnFunction[];
}

/** Throws a ComponentError. The time it takes grows with the size of the file, whatever is in it. */
export function checkContract(component: Uint8Array, host: HostTypes): CheckedComponent {
  const decoded = decodeComponent(component);
  for (const module of decoded.modules) checkCoreFeatures(module);
  checkImports(decoded.imports, host);
  const functions = requireTools(decoded, host);
  return {
    functions,
    imports: decoded.imports
      .filter(({ kind }) => kind === 'interface')
      .map(({ name }) => name)
      .sort(),
  };
}

/** A component has `run`, or functions of its own world. */
function requireTools(decoded: DecodedComponent, host: HostTypes): readonly OwnFunction[] {
  const { exports } = decoded;
  const run = exports.find(({ name }) => name === 'run');
  if (run?.kind !== 'function') {
    const functions = ownFunctions(decoded);
    if (functions.length > 0) return functions;
    const names = exports.slice(0, MOST_NAMED).map(({ name }) => name.slice(0, 200));
    const found = names.length > 0 ? names.join(', ') : 'nothing';
    throw new ComponentError(
      'wasm/wrong-world',
      `The component does not implement ken:tool@0.1.0: it exports ${found}, and not a function "run".`,
      'Build it against the world "tool" of wit/tool.wit, or export functions of a world of your own.',
    );
  }
  const difference = functionDifference(run.type, host.run);
  if (difference === undefined) return [];
  throw new ComponentError(
    'wasm/wrong-signature',
    `The component does not implement ken:tool@0.1.0: of its "run", ${difference}.`,
    'Build it against the world "tool" of wit/tool.wit.',
  );
}

const MOST_NAMED = 10;
