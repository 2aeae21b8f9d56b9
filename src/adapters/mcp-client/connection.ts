/** One server that runs, or answers, and is spoken to. */

import {
  type CallToolResult,
  Client,
  ProtocolError,
  type Tool as SdkTool,
  type Transport,
} from '@modelcontextprotocol/client';
import { Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import { VERSION } from '../../base/version.ts';
import { failure, type ToolResult } from '../../domain/tools/tool.ts';
import type { ServerCall, ServerOffer } from '../../domain/tools/tool-servers.ts';
import { ownSchemaValidator } from './schema-validator.ts';
import { isTimeout, serverFault } from './server-fault.ts';

export interface Line {
  readonly server: string;
  readonly transport: Transport;
  /** How a server that ended did so, and what it said last; undefined while it has not. */
  lastWords(): Promise<string | undefined>;
  /** Says goodbye, where that is the custom. Takes no longer than a moment, and never fails. */
  leave?(): Promise<void>;
}

export class Connection {
  readonly #client: Client;
  readonly #line: Line;
  #isClosed = false;

  private constructor(client: Client, line: Line) {
    this.#client = client;
    this.#line = line;
    client.onclose = () => {
      this.#isClosed = true;
    };
  }

  /** `mode` is `auto` to ask the server which era of the protocol it speaks, `legacy` to take it for an old one. */
  static async open(
    line: Line,
    mode: 'auto' | 'legacy',
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Connection> {
    const client = new Client(
      { name: 'ken', version: VERSION },
      {
        capabilities: {},
        jsonSchemaValidator: ownSchemaValidator,
        versionNegotiation: { mode, probe: { timeoutMs: timeoutMs / 2 } },
      },
    );
    // What is wrong shows in what is asked for.
    client.onerror = () => {};
    try {
      await unlessAborted(client.connect(line.transport, { timeout: timeoutMs, signal }), signal);
      return new Connection(client, line);
    } catch (error) {
      await line.transport.close().catch(() => {});
      throw error;
    }
  }

  get isUsable(): boolean {
    return !this.#isClosed;
  }

  async list(signal: AbortSignal): Promise<readonly ServerOffer[]> {
    const { server } = this.#line;
    try {
      const { tools } = await withoutWarnings(() =>
        this.#client.listTools({}, { signal, timeout: LIST_MS, cacheMode: 'refresh' }),
      );
      return tools.map((tool) => ({ tool: tool.name, definition: definitionOf(tool) }));
    } catch (error) {
      throw await this.#explain(error, 'list its tools', signal, {
        timeout: () => new Fault('tools/server-timeout', `The server "${server}" did not list its tools.`),
      });
    }
  }

  async call(
    { offer, arguments: given, limits, onProgress }: ServerCall,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    const onprogress = ({ progress: done, total, message }: SdkProgress) =>
      onProgress?.({ phase: message || offer.tool, done, ...(total !== undefined && { total }) });
    try {
      const answer: CallToolResult = await this.#client.callTool(
        { name: offer.tool, arguments: { ...given } },
        {
          signal,
          onprogress,
          resetTimeoutOnProgress: true,
          timeout: limits.idleMs,
          maxTotalTimeout: limits.totalMs,
        },
      );
      const { toolResult } = await import('./tool-result.ts');
      return toolResult(answer, elapsed());
    } catch (error) {
      // The server answered that it would not.
      if (error instanceof ProtocolError && this.isUsable) return { outcome: failure(error.message) };
      throw await this.#explain(error, `run "${offer.tool}"`, signal, {
        timeout: () =>
          new Fault('tools/timeout', `"${offer.tool}" did not answer within ${elapsed() / 1000} s.`, {
            hint: 'Give it less to do, or raise the timeout of the tool.',
          }),
      });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#line.leave?.();
    await this.#client.close().catch(() => {});
    await this.#line.transport.close().catch(() => {});
  }

  async #explain(
    error: unknown,
    doing: string,
    signal: AbortSignal,
    { timeout }: { timeout(): Fault },
  ): Promise<Fault> {
    const { server } = this.#line;
    if (signal.aborted) return new Fault('tools/cancelled', `The server "${server}" was told to stop.`);
    if (isTimeout(error)) return timeout();
    if (this.isUsable) return serverFault(server, doing, error);
    const words = await this.#line.lastWords();
    return new Fault('tools/server-ended', `The server "${server}" ended before it could ${doing}.`, {
      hint: words,
      cause: error,
    });
  }
}

interface SdkProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const LIST_MS = 20_000;

/** All that tells the assistant, or the operator, what the tool is. */
function definitionOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: SdkTool): JsonObject {
  return JSON.parse(JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations }));
}

/** The SDK prints names of tools that it leaves out as they are, escape sequences and all. */
async function withoutWarnings<Value>(work: () => Promise<Value>): Promise<Value> {
  const { console } = globalThis;
  const { warn } = console;
  console.warn = () => {};
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}
