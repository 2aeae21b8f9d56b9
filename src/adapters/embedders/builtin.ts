/** ken-static-1, the embedder that ships with ken: a table of rows, no model to run and nothing to fetch. */

import { readFileSync } from 'node:fs';
import { packageFile } from '../../base/package-files.ts';
import type { Embedder } from '../../domain/search/index/embedder.ts';
import { normalised } from '../../domain/search/vectors/quantise.ts';
import { RowTable } from './row-table.ts';
import { TextRows } from './text-rows.ts';
import { openVocabulary } from './vocabulary.ts';

const DIMENSION = 256;
/** The name identifies the table: another table gets another name. */
const FINGERPRINT = 'ken-static-1';

export function builtinEmbedder(directory: URL = modelDirectory): Embedder {
  let opened: StaticModel | undefined;
  let everyday: readonly Float32Array[] | undefined;
  return {
    async identity() {
      everyday ??= readEveryday(new URL('everyday.f32', directory));
      return {
        name: 'builtin',
        fingerprint: FINGERPRINT,
        dimension: DIMENSION,
        batchSize: 1024,
        everyday,
      };
    },
    async embed(texts) {
      opened ??= openModel(directory);
      const model = opened;
      return texts.map((text) => vectorOf(model, text));
    },
  };
}

/** Made beforehand: each start would have to make the same again. */
function readEveryday(file: URL): Float32Array[] {
  const numbers = readFloats(file);
  const count = Math.floor(numbers.length / DIMENSION);
  return Array.from({ length: count }, (_, at) => numbers.subarray(at * DIMENSION, (at + 1) * DIMENSION));
}

function readFloats(file: URL): Float32Array {
  const content = readFileSync(file);
  // A small file comes as a part of a shared buffer, at any address.
  const bytes = content.byteOffset % 4 === 0 ? content : Uint8Array.from(content);
  return new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
}

const modelDirectory = packageFile('models/ken-static-1/');

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
  const scales = readFloats(file('scales.f32'));
  return { table, rows: new TextRows(vocabulary, table.rowCount), scales };
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
