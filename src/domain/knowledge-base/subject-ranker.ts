/** Finds the subjects of one topic that answer some words. */
export interface SubjectRanker {
  /** Best first, at most `limit`; subjects that have nothing to do with the words are left out. */
  rank(request: RankRequest): Promise<readonly RankedSubject[]>;
}

export interface RankRequest {
  readonly topicId: string;
  readonly words: string;
  /** All that may be answered with. */
  readonly candidates: readonly SubjectCandidate[];
  readonly limit: number;
}

export interface SubjectCandidate {
  readonly slug: string;
  /** The subject's text, read when asked for; nothing when it has none. */
  text(): string | undefined;
}

export interface RankedSubject {
  readonly slug: string;
  /** The lines of the subject that answer best, as they stand there. */
  readonly passage: string;
}
