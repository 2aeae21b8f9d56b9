import type { GitTree } from './git-reader.ts';

/** Directories of this machine as trees, read in the same way as those of git. */
export interface LocalDirectories {
  /**
   * Every file below a directory; links are told and never followed. The commit of such a tree is empty, and an oid
   * changes when a file was written to. A Fault when it is no directory that can be read.
   */
  open(directory: string): Promise<GitTree>;
}
