import type { JsonObject } from '../../base/json.ts';
import type { ToolProgress, ToolResult } from './tool.ts';

export interface ToolServers {
  /**
   * Tools that a server offers now, in its order. Starts the server if necessary; a Fault when it is unknown or does
   * not start in time. A later call tries again.
   */
  list(server: string, signal: AbortSignal): Promise<readonly ServerOffer[]>;
  /**
   * Throws only a Fault: the server is gone, timed out, or the call was cancelled. An error of the tool is an
   * outcome. A server that ended is restarted by the next call.
   */
  call(call: ServerCall, signal: AbortSignal): Promise<ToolResult>;
  /** Ends every server that was started here, and its children. */
  close(): Promise<void>;
}

export interface ServerOffer {
  readonly tool: string;
  /** Everything the server says about the tool: name, description, schemas, hints. */
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
  /** Time without an answer or progress. */
  readonly idleMs: number;
  readonly totalMs: number;
}
