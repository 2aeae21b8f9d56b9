/** Servers that bring tools of their own: programs that are started, or services elsewhere (MCP). */

import type { JsonObject } from '../../base/json.ts';
import type { ToolProgress, ToolResult } from './tool.ts';

export interface ToolServers {
  /**
   * What a server offers at this moment, in its order. Starts the server first, unless it runs. A Fault when there is
   * no such server, or it does not start, or not in time; a later call tries again.
   */
  list(server: string, signal: AbortSignal): Promise<readonly ServerOffer[]>;
  /**
   * Throws only a Fault: the server is gone, took too long, or the call was cancelled. What the tool itself calls an
   * error is an outcome. A server that ended is started again by the next call.
   */
  call(call: ServerCall, signal: AbortSignal): Promise<ToolResult>;
  /** Ends every server that was started here, with everything that it started. */
  close(): Promise<void>;
}

export interface ServerOffer {
  readonly tool: string;
  /** All that the server says about it: name, description, schemas, hints. */
  readonly definition: JsonObject;
}

export interface ServerCall {
  readonly server: string;
  readonly offer: ServerOffer;
  readonly arguments: JsonObject;
  readonly limits: CallTime;
  onProgress?(progress: ToolProgress): void;
}

export interface CallTime {
  /** Without an answer or progress. */
  readonly idleMs: number;
  readonly totalMs: number;
}
