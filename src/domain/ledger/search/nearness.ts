/** How near in meaning texts are to a question. */
export interface Nearness {
  /**
   * The cosine of each text with the question, in order; undefined for a text without words. Nothing at all when
   * meanings cannot be compared at once: then words alone rank.
   */
  cosines(question: string, texts: readonly string[]): Promise<readonly (number | undefined)[] | undefined>;
}
