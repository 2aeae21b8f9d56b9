/** Cuts along the syntax of a language; without a usable grammar, like `plainChunker`. */

import { availableParallelism } from 'node:os';
import type { Chunk, Chunker, FileText } from '../../domain/chunks/chunk.ts';
import { languageOf } from '../../domain/chunks/file-kind.ts';
import { plainChunks } from '../../domain/chunks/plain-chunks.ts';
import { ParseThread } from './parse-thread.ts';
import type { ParseReply, ParseRequest } from './parse-worker.ts';

export interface ParsingLimits {
  /** Processor time for one file; depends on its size when absent. */
  readonly limitMs?: number;
  /** A thread that does not answer in this time is stopped. */
  readonly patienceMs?: number;
  readonly threads?: number;
}

export interface ParsingChunker extends Chunker {
  close(): Promise<void>;
}

/** Larger files are usually generated, and not worth the time. */
const MOST_CHARACTERS = 1024 * 1024;
const MOST_THREADS = 4;
const PATIENCE_MS = 20_000;

export function treeSitterChunker(limits: ParsingLimits = {}): ParsingChunker {
  const { patienceMs = PATIENCE_MS, threads = Math.min(MOST_THREADS, availableParallelism()) } = limits;
  const pool = new ParsePool(threads, patienceMs);
  return {
    async chunk(file) {
      const { path, text } = file;
      const language = languageOf(path);
      if (!language || text.length > MOST_CHARACTERS) return plainChunks(file);
      const limitMs = limits.limitMs ?? limitFor(text);
      const reply = await pool.parse({ text, language, limitMs });
      return reply ? chunksFrom(file, reply) : plainChunks(file);
    },
    close: () => pool.close(),
  };
}

/** Ten times what an honest text of its length takes. */
function limitFor({ length }: string): number {
  return 500 + length / 300;
}

function chunksFrom({ text }: FileText, { lengths, firstLines, lastLines, headings }: ParseReply): Chunk[] {
  let start = 0;
  return headings.map((heading, at) => {
    const end = start + (lengths[at] ?? 0);
    const chunk = {
      text: text.slice(start, end),
      firstLine: firstLines[at] ?? 0,
      lastLine: lastLines[at] ?? 0,
      heading,
    };
    start = end;
    return chunk;
  });
}

export class ParsePool {
  readonly #most: number;
  readonly #patienceMs: number;
  #threads: ParseThread[] = [];
  #isClosed = false;

  constructor(most: number, patienceMs: number) {
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  /** Undefined when it cannot be parsed, or the pool is closed. */
  async parse(request: ParseRequest): Promise<ParseReply | undefined> {
    while (!this.#isClosed) {
      const outcome = await this.#leastBusy().parse(request);
      if (outcome !== 'lost') return outcome;
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #leastBusy(): ParseThread {
    this.#threads = this.#threads.filter(({ isUsable }) => isUsable);
    const [first, ...others] = this.#threads;
    const least = others.reduce((a, b) => (b && a && b.load < a.load ? b : a), first);
    if (least && (least.load === 0 || this.#threads.length >= this.#most)) return least;
    const started = new ParseThread(this.#patienceMs);
    this.#threads.push(started);
    return started;
  }
}
