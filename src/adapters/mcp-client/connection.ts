import {
  type CallToolResult,
  Client,
  type jsonSchemaValidator,
  ProtocolError,
  type Tool as SdkTool,
  type Transport,
} from '@modelcontextprotocol/client';
import { unlessAborted } from '../../base/concurrency.ts';
import { Fault } from '../../base/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { VERSION } from '../../base/package-files.ts';
import { checkValue } from '../../domain/tools/schema/check-value.ts';
import { problemText } from '../../domain/tools/schema/problem.ts';
import { failure, type ToolResult } from '../../domain/tools/tool.ts';
import type { ServerCall, ServerOffer } from '../../domain/tools/tool-servers.ts';
import { isTimeout, serverFault } from './server-fault.ts';

export interface ServerTransport {
  readonly server: string;
  readonly transport: Transport;
  /** Values of headers and variables, which the server may repeat. */
  readonly secrets: readonly string[];
  /** The exit code of a server process that has ended, with its last output; undefined for HTTP servers. */
  exitReport(): Promise<string | undefined>;
  /** Ends the session of an HTTP server. Returns within a short time and never fails. */
  endSession?(): Promise<void>;
}

export class Connection {
  readonly #client: Client;
  readonly #server: ServerTransport;
  #isClosed = false;

  private constructor(client: Client, server: ServerTransport) {
    this.#client = client;
    this.#server = server;
    client.onclose = () => {
      this.#isClosed = true;
    };
  }

  /** `auto` negotiates the version of the protocol; `legacy` assumes a server without negotiation. */
  static async open(
    server: ServerTransport,
    mode: 'auto' | 'legacy',
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Connection> {
    const client = new Client(
      { name: 'ken', version: VERSION },
      {
        capabilities: {},
        jsonSchemaValidator: interpretingValidator,
        versionNegotiation: { mode, probe: { timeoutMs: timeoutMs / 2 } },
      },
    );
    // Errors reach the requests that they concern.
    client.onerror = () => {};
    try {
      await unlessAborted(client.connect(server.transport, { timeout: timeoutMs, signal }), signal);
      return new Connection(client, server);
    } catch (error) {
      await server.transport.close().catch(() => {});
      throw error;
    }
  }

  get isUsable(): boolean {
    return !this.#isClosed;
  }

  async list(signal: AbortSignal): Promise<readonly ServerOffer[]> {
    const { server } = this.#server;
    try {
      const { tools } = await withoutWarnings(() =>
        this.#client.listTools({}, { signal, timeout: LIST_MS, cacheMode: 'refresh' }),
      );
      return tools.map((tool) => ({ tool: tool.name, definition: definitionOf(tool) }));
    } catch (error) {
      throw await this.#faultFrom(error, 'list its tools', signal, {
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
      // The server refused the call.
      if (error instanceof ProtocolError && this.isUsable) return { outcome: failure(error.message) };
      throw await this.#faultFrom(error, `run "${offer.tool}"`, signal, {
        timeout: () =>
          new Fault('tools/timeout', `"${offer.tool}" did not answer within ${elapsed() / 1000} s.`, {
            hint: 'Give it less to do, or raise the timeout of the tool.',
          }),
      });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#server.endSession?.();
    await this.#client.close().catch(() => {});
    await this.#server.transport.close().catch(() => {});
  }

  async #faultFrom(
    error: unknown,
    doing: string,
    signal: AbortSignal,
    { timeout }: { timeout(): Fault },
  ): Promise<Fault> {
    const { server, secrets } = this.#server;
    if (signal.aborted) return new Fault('tools/cancelled', `The server "${server}" was told to stop.`);
    if (isTimeout(error)) return timeout();
    if (this.isUsable) return serverFault(server, doing, error, secrets);
    const report = await this.#server.exitReport();
    return new Fault('tools/server-ended', `The server "${server}" ended before it could ${doing}.`, {
      hint: report,
      cause: error,
    });
  }
}

/** Replaces the SDK's validator, which compiles the schemas of servers to JavaScript. */
const interpretingValidator: jsonSchemaValidator = {
  getValidator<Value>(schema: unknown) {
    return (input: unknown) => {
      const problems = isJsonObject(schema as Json) ? checkValue(schema as never, input as Json) : [];
      return problems.length === 0
        ? { valid: true as const, data: input as Value, errorMessage: undefined }
        : { valid: false as const, data: undefined, errorMessage: problems.map(problemText).join('; ') };
    };
  },
};

interface SdkProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const LIST_MS = 20_000;

/** The parts of a tool's definition that the model and the operator see. */
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

/** The SDK prints the names of tools that it leaves out, with any escape sequences in them. */
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
