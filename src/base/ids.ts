/** The only source of randomness. */
export interface IdSource {
  /** A ULID: 26 characters that sort by time; later ones of one source are always greater. */
  ulid(): string;
  /** This many unguessable bytes, in lower-case hexadecimal. */
  token(bytes: number): string;
}
