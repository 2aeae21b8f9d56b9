/** Results of tools that are longer than the assistant is shown, kept whole for a while. */
export interface ResultStore {
  /** Answers the id to read it by. */
  keep(text: string): Promise<string>;
  /** From this byte on, at most so many, whole characters only; undefined when there is none of that id. */
  read(id: string, offset: number, maxBytes: number): Promise<KeptPart | undefined>;
}

export interface KeptPart {
  readonly text: string;
  /** Of the whole result. */
  readonly sizeBytes: number;
  /** Where the next part begins; the size when this was the last. */
  readonly next: number;
}
