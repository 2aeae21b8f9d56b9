/** Taken now: the threads of guests give the process object away before they load anything. */
const { getBuiltinModule } = process;

/** Crypto is loaded at the first use: most calls need none. */
export function lateCrypto(): typeof import('node:crypto') {
  return getBuiltinModule('node:crypto');
}
