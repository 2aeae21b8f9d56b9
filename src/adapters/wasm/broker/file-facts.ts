import type { BigIntStats, Dirent } from 'node:fs';

import type { DESCRIPTOR_TYPES } from '../wire/operations.ts';

export type DescriptorType = (typeof DESCRIPTOR_TYPES)[number];

export function descriptorType(file: BigIntStats | Dirent<string | Buffer>): DescriptorType {
  if (file.isFile()) return 'regular-file';
  if (file.isDirectory()) return 'directory';
  if (file.isSymbolicLink()) return 'symbolic-link';
  if (file.isBlockDevice()) return 'block-device';
  if (file.isCharacterDevice()) return 'character-device';
  if (file.isFIFO()) return 'fifo';
  return file.isSocket() ? 'socket' : 'unknown';
}

export interface Datetime {
  readonly seconds: bigint;
  readonly nanoseconds: number;
}

export interface DescriptorStat {
  readonly type: DescriptorType;
  readonly linkCount: bigint;
  readonly size: bigint;
  readonly dataAccessTimestamp: Datetime;
  readonly dataModificationTimestamp: Datetime;
  readonly statusChangeTimestamp: Datetime;
}

export function descriptorStat(stats: BigIntStats): DescriptorStat {
  return {
    type: descriptorType(stats),
    linkCount: stats.nlink,
    size: stats.size,
    dataAccessTimestamp: datetime(stats.atimeNs),
    dataModificationTimestamp: datetime(stats.mtimeNs),
    statusChangeTimestamp: datetime(stats.ctimeNs),
  };
}

/** WASI has no times before 1970. */
function datetime(sinceEpochNs: bigint): Datetime {
  const ns = sinceEpochNs < 0n ? 0n : sinceEpochNs;
  return { seconds: ns / 1_000_000_000n, nanoseconds: Number(ns % 1_000_000_000n) };
}

/** The same for the same unchanged file; reveals nothing else about the machine. */
export function metadataHash(stats: BigIntStats): { lower: bigint; upper: bigint } {
  const facts = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(facts).digest();
  return { lower: digest.readBigUInt64LE(0), upper: digest.readBigUInt64LE(8) };
}

export type NewTimestamp =
  | { readonly tag: 'no-change' }
  | { readonly tag: 'now' }
  | { readonly tag: 'timestamp'; readonly val: Datetime };

/** The time to set, in seconds since 1970. */
export function newTime(wanted: NewTimestamp, currentNs: bigint): number {
  if (wanted.tag === 'now') return Date.now() / 1000;
  if (wanted.tag === 'no-change') return Number(currentNs) / 1e9;
  return Number(wanted.val.seconds) + wanted.val.nanoseconds / 1e9;
}
