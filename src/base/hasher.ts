/** Digests of exact content. */
export interface Hasher {
  /** SHA-256 in lower-case hexadecimal; a text is taken as UTF-8. */
  sha256(content: string | Uint8Array): string;
}
