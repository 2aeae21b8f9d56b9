import { Fault } from '../../../base/fault.ts';
import type { ComponentSource } from '../component-host.ts';
import { insidePath } from './file-access.ts';

export interface NamedComponent {
  /** The key that names it, for errors. */
  readonly key: string;
  /** `sha256:…`, an absolute path, or a path relative to the workspace. */
  readonly wasm: string;
  readonly root: string;
  /** Trusted digests of the workspace's components, by the path in its configuration. */
  readonly trustedDigests: ReadonlyMap<string, string>;
}

const INSTALLED = /^sha256:([0-9a-f]{64})$/;

/** The component that the entry of a tool means, trusted or not: checking it executes nothing. */
export function componentToCheck(root: string, tool: string, wasm: string): ComponentSource {
  const key = `conversation.tools.${tool}.wasm`;
  return installedSource(key, wasm) ?? { file: fileOf(root, key, wasm) };
}

/**
 * Bytes inside the workspace count only when the workspace names them and is trusted: otherwise an entry of the
 * user's own configuration would run what any repository has under that name.
 */
export function componentSource(named: NamedComponent): ComponentSource {
  const { key, wasm, root } = named;
  const installed = installedSource(key, wasm);
  if (installed) return installed;
  const file = fileOf(root, key, wasm);
  const sha256 = named.trustedDigests.get(wasm);
  if (sha256 !== undefined) return { file, sha256 };
  if (isInside(root, file)) throw untrustedComponent(wasm);
  return { file, outsideOf: root };
}

function installedSource(key: string, wasm: string): ComponentSource | undefined {
  if (!wasm.startsWith('sha256:')) return undefined;
  const installed = INSTALLED.exec(wasm)?.[1];
  if (installed !== undefined) return { installed };
  throw new Fault('config/invalid', `${key} has no digest: ${JSON.stringify(wasm)}.`, {
    hint: 'A digest is "sha256:" and 64 digits; "ken tools install FILE" prints it.',
  });
}

function fileOf(root: string, key: string, wasm: string): string {
  return wasm.startsWith('/') ? wasm : `${root}/${insidePath(key, wasm)}`;
}

/** `..` counts as inside, as it may lead back. */
function isInside(root: string, file: string): boolean {
  return file.startsWith(`${root}/`) || file.split('/').includes('..');
}

/** `wasm` is the path as it was given. */
export function untrustedComponent(wasm: string): Fault {
  return new Fault(
    'wasm/untrusted',
    `${wasm} is in this workspace, which does not name it as a trusted tool.`,
    {
      hint: 'Install it with "ken tools install FILE", or name a file outside by its absolute path.',
    },
  );
}
