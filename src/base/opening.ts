/** What is opened at its first use and kept. */
export interface Opening<Opened> {
  /** One that could not be opened is tried again at the next use: what was in the way may be gone by then. */
  use(): Promise<Opened>;
  /** What is open; nothing if it was never used, or could not be opened. */
  current(): Promise<Opened | undefined>;
}

export function opening<Opened>(open: () => Promise<Opened>): Opening<Opened> {
  let kept: Promise<Opened> | undefined;
  return {
    use() {
      if (kept) return kept;
      const begun = open();
      kept = begun;
      begun.catch(() => {
        if (kept === begun) kept = undefined;
      });
      return begun;
    },
    current: async () => kept?.catch(() => undefined),
  };
}
