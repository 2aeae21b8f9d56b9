/** The part of WASI 0.2 that the guest uses, as its JavaScript engine gives it: 64-bit numbers are plain numbers. */

declare module 'wasi:filesystem/preopens@0.2.12' {
  import type { Descriptor } from 'wasi:filesystem/types@0.2.12';
  export function getDirectories(): [Descriptor, string][];
}

declare module 'wasi:filesystem/types@0.2.12' {
  export interface PathFlags {
    readonly symlinkFollow?: boolean;
  }

  export interface Entry {
    readonly name: string;
    readonly type: string;
  }

  /** Every call throws the WASI error code, a string, when it fails. */
  export class Descriptor {
    openAt(
      flags: PathFlags,
      path: string,
      how: Record<string, never>,
      wanted: { readonly read: true },
    ): Descriptor;
    read(length: number, offset: number): [Uint8Array, boolean];
    readDirectory(): { readDirectoryEntry(): Entry | undefined };
    stat(): { readonly type: string; readonly size: number };
    statAt(flags: PathFlags, path: string): { readonly type: string };
    metadataHashAt(
      flags: PathFlags,
      path: string,
    ): { readonly lower: number | bigint; readonly upper: number | bigint };
  }
}
