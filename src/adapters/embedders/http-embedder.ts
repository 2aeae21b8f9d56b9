import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../base/fault.ts';
import type { Embedder, EmbedderIdentity, EmbeddingPurpose } from '../../domain/search/index/embedder.ts';
import { normalised } from '../../domain/search/vectors/quantise.ts';
import { exchangeJson } from './post-json.ts';

export interface HttpProtocol {
  readonly name: string;
  readonly model: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly batchSize: number;
  request(texts: readonly string[]): object;
  /** In the order of the texts; undefined for an unexpected response. */
  vectors(answer: unknown): readonly unknown[] | undefined;
  /** Identifies the version of the model, where the server knows it. */
  version?(): Promise<string>;
}

export type Wait = (milliseconds: number) => Promise<unknown>;

/** Chunks are far shorter; a longer text loses its end. */
const MAX_CHARACTERS = 24_000;

export function httpEmbedder(protocol: HttpProtocol, wait: Wait = sleep): Embedder {
  let known: Promise<EmbedderIdentity> | undefined;

  async function request(texts: readonly string[]): Promise<(Float32Array | undefined)[]> {
    const answer = await exchangeJson(protocol, protocol.request(texts), wait);
    return checkedVectors(protocol, answer, texts.length);
  }

  async function identify(): Promise<EmbedderIdentity> {
    const version = (await protocol.version?.()) ?? '';
    const [probe] = await request(['dimension']);
    if (!probe) throw unusable(protocol.name, 'a vector without a direction');
    const { name, batchSize } = protocol;
    const fingerprint = `${name} ${probe.length} ${version}`.trimEnd();
    return { name, fingerprint, dimension: probe.length, batchSize };
  }

  async function identity(): Promise<EmbedderIdentity> {
    known ??= identify();
    // An unreachable server may be back at the next question.
    known.catch(() => {
      known = undefined;
    });
    return known;
  }

  return {
    identity,
    async embed(texts, purpose) {
      const { dimension } = await identity();
      const prefix = prefixFor(protocol.model, purpose);
      const written = texts.map((text) => text.slice(0, MAX_CHARACTERS));
      const worded = written.flatMap((text, at) => (HAS_WORDS.test(text) ? [at] : []));
      const result: (Float32Array | undefined)[] = texts.map(() => undefined);
      for (let at = 0; at < worded.length; at += protocol.batchSize) {
        const batch = worded.slice(at, at + protocol.batchSize);
        const vectors = await request(batch.map((index) => `${prefix}${written[index] ?? ''}`));
        if (vectors.some((vector) => vector && vector.length !== dimension)) {
          throw unusable(protocol.name, 'vectors of another length than before');
        }
        for (const [place, index] of batch.entries()) result[index] = vectors[place];
      }
      return result;
    },
  };
}

const HAS_WORDS = /[\p{L}\p{N}]/u;

function checkedVectors(
  protocol: HttpProtocol,
  answer: unknown,
  count: number,
): (Float32Array | undefined)[] {
  const vectors = protocol.vectors(answer);
  if (vectors?.length !== count) throw unusable(protocol.name, `not ${count} vectors`);
  return vectors.map((vector) => {
    const isVector = Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite);
    if (!isVector) throw unusable(protocol.name, 'something that is not a vector');
    return normalised(vector as number[]);
  });
}

function unusable(name: string, what: string): Fault {
  return new Fault('embedder/failed', `The embedder ${name} answered with ${what}.`, {
    hint: 'Check that the model is one that makes embeddings.',
  });
}

/** Prefixes that models were trained with, for questions and for texts; without them their vectors are worse. */
const PREFIXES: readonly (readonly [model: RegExp, question: string, text: string])[] = [
  [/nomic-embed-text/i, 'search_query: ', 'search_document: '],
  [/embeddinggemma/i, 'task: search result | query: ', 'title: none | text: '],
  [/mxbai-embed|snowflake-arctic-embed/i, 'Represent this sentence for searching relevant passages: ', ''],
  [/\bbge-(?:small|base|large)-en/i, 'Represent this sentence for searching relevant passages: ', ''],
  [/(?:^|[/_-])e5-/i, 'query: ', 'passage: '],
];

export function prefixFor(model: string, purpose: EmbeddingPurpose): string {
  const found = PREFIXES.find(([pattern]) => pattern.test(model));
  if (!found) return '';
  return purpose === 'question' ? found[1] : found[2];
}
