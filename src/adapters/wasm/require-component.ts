import { Fault } from '../../base/fault.ts';

const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const COMPONENT = [0x0d, 0x00, 0x01, 0x00];
const CORE_MODULE = [0x01, 0x00, 0x00, 0x00];

/** By its first eight bytes. */
export function requireComponent(bytes: Uint8Array): void {
  const [magic, version] = [[...bytes.subarray(0, 4)], [...bytes.subarray(4, 8)]];
  if (!equal(magic, MAGIC)) {
    throw new Fault('wasm/not-wasm', 'The file is not WebAssembly.');
  }
  if (equal(version, CORE_MODULE)) {
    throw new Fault('wasm/core-module', 'The file is a core WebAssembly module, not a component.', {
      hint: 'Make a component of it with "wasm-tools component new", or with "ken tools build".',
    });
  }
  if (!equal(version, COMPONENT)) {
    throw new Fault('wasm/malformed', 'The file is WebAssembly of a kind this host does not know.');
  }
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
