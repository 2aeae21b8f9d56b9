/** ken-static-1, the embedder that ships with ken: a table of rows, no model to run and nothing to fetch. */

import { readFileSync } from 'node:fs';
import type { Embedder } from '../../domain/search/embedder.ts';
import { normalised } from '../../domain/search/vectors/quantise.ts';
import { RowTable } from './row-table.ts';
import { TextRows } from './text-rows.ts';
import { openVocabulary } from './vocabulary.ts';

const DIMENSION = 256;
/** The name stands for the table: another table gets another name. */
const FINGERPRINT = 'ken-static-1';

export function builtinEmbedder(directory: URL = modelDirectory): Embedder {
  let opened: StaticModel | undefined;
  return {
    async identity() {
      return {
        name: 'builtin',
        fingerprint: FINGERPRINT,
        dimension: DIMENSION,
        batchSize: 1024,
        isCalibrated: true,
      };
    },
    async embed(texts) {
      opened ??= openModel(directory);
      const model = opened;
      return texts.map((text) => vectorOf(model, text));
    },
  };
}

/** Beside `dist/` and `src/` in the package. */
const modelDirectory = new URL(
  import.meta.url.endsWith('.ts') ? '../../../models/ken-static-1/' : '../../models/ken-static-1/',
  import.meta.url,
);

interface StaticModel {
  readonly rows: TextRows;
  readonly table: RowTable;
  /** By row: what its bytes are multiplied with. */
  readonly scales: Float32Array;
}

function openModel(directory: URL): StaticModel {
  const file = (name: string) => new URL(name, directory);
  const table = new RowTable(file('rows.i8'), DIMENSION);
  const vocabulary = openVocabulary(file('vocab.txt'), file('vocab.index'));
  const scales = Uint8Array.from(readFileSync(file('scales.f32')));
  return { table, rows: new TextRows(vocabulary, table.rowCount), scales: new Float32Array(scales.buffer) };
}

function vectorOf({ rows, table, scales }: StaticModel, text: string): Float32Array | undefined {
  rows.read(text);
  table.sum.fill(0);
  for (let at = 0; at < rows.found; at++) {
    const row = rows.touched[at] as number;
    const weight = rows.weights[row] as number;
    table.add(row, (scales[row] as number) * (weight > 1 ? 1 + Math.log(weight) : weight));
  }
  return normalised(table.sum);
}
