export interface Hasher {
  /** SHA-256 in lower-case hexadecimal; a text is taken as UTF-8. */
  sha256(content: string | Uint8Array): string;
}

/** Also hashes content that comes in pieces. */
export interface StreamHasher extends Hasher {
  /** A SHA-256 in progress. */
  running(): RunningHash;
}

export interface RunningHash {
  update(bytes: Uint8Array): void;
  /** In lower-case hexadecimal. Called once, at the end. */
  digest(): string;
}
