/** The part of WASI 0.2 that guests use, as their JavaScript engine gives it: 64-bit numbers are plain numbers. */

declare module 'wasi:filesystem/preopens@0.2.12' {
  import type { Descriptor } from 'wasi:filesystem/types@0.2.12';
  /** The directories that were granted, each with the path it has here. */
  export function getDirectories(): [Descriptor, string][];
}

declare module 'wasi:filesystem/types@0.2.12' {
  export interface PathFlags {
    readonly symlinkFollow?: boolean;
  }

  export interface OpenFlags {
    readonly create?: boolean;
    readonly directory?: boolean;
    readonly exclusive?: boolean;
    readonly truncate?: boolean;
  }

  export interface DescriptorFlags {
    readonly read?: boolean;
    readonly write?: boolean;
    readonly mutateDirectory?: boolean;
  }

  export interface Entry {
    readonly name: string;
    /** `regular-file`, `directory`, `symbolic-link`, … */
    readonly type: string;
  }

  /** Every call throws the WASI error code, a string, when it fails. */
  export class Descriptor {
    openAt(flags: PathFlags, path: string, how: OpenFlags, wanted: DescriptorFlags): Descriptor;
    read(length: number, offset: number): [Uint8Array, boolean];
    write(bytes: Uint8Array, offset: number): number;
    readDirectory(): { readDirectoryEntry(): Entry | undefined };
    createDirectoryAt(path: string): void;
    removeDirectoryAt(path: string): void;
    renameAt(path: string, to: Descriptor, newPath: string): void;
    unlinkFileAt(path: string): void;
    stat(): { readonly type: string; readonly size: number };
    statAt(flags: PathFlags, path: string): { readonly type: string; readonly size: number };
    metadataHashAt(
      flags: PathFlags,
      path: string,
    ): { readonly lower: number | bigint; readonly upper: number | bigint };
  }
}

declare module 'wasi:cli/stdout@0.2.12' {
  /** At most 4096 bytes at once. */
  export function getStdout(): { blockingWriteAndFlush(bytes: Uint8Array): void };
}
