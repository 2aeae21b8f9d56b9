/** BM25 (Robertson and others, 1994): how well a text fits the words of a question. */

const K1 = 1.2;
const B = 0.75;

/** The factor for a word that a text has this often, given the text's length relative to the average. */
export function bm25(frequency: number, relativeLength: number): number {
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength));
}

/** The weight of a word that `containing` of `total` texts have. Never negative. */
export function rarityOf(total: number, containing: number): number {
  return Math.log(1 + (total - containing + 0.5) / (containing + 0.5));
}
