/** What a person was asked before something could go on, and what came of it at that moment. */
export interface DecisionNote {
  /** Of the approval; `ken approvals show` tells the rest. */
  readonly id: string;
  /** `pending`: nobody was there to ask. */
  readonly decision: 'pending' | 'approved' | 'denied';
  readonly summary: string;
  /** Who decided, and through what. */
  readonly by?: string;
  readonly through?: string;
}

/** Has taken the note when it answers. */
export type NoteDecision = (note: DecisionNote) => Promise<void>;
