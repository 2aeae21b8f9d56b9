import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { RunningProcess } from '../../base/processes.ts';

/** Ends the whole process group: the SDK's own transport leaves children running, such as a server behind npx. */
export class ProcessTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  /** With `pid` and `stderr`, the SDK treats a server that does not answer the first request as an old one. */
  readonly pid: number;
  readonly stderr = null;
  readonly #process: RunningProcess;
  readonly #buffer = new ReadBuffer({ maxBufferSize: LONGEST_MESSAGE });
  #isClosed = false;
  #isDelivering = false;

  constructor(process: RunningProcess) {
    this.#process = process;
    this.pid = process.pid;
  }

  async start(): Promise<void> {
    this.#process.onOutput((bytes) => this.#read(bytes));
    void this.#process.ended.then(() => this.#ended());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#process.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#closed();
    await this.#process.end();
  }

  #read(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    try {
      this.#buffer.append(Buffer.from(bytes));
    } catch (error) {
      this.#failed(error);
      void this.close();
      return;
    }
    if (!this.#isDelivering) void this.#deliver();
  }

  /** Delivers one message per event loop turn. The SDK handles notifications late, so a result could overtake them. */
  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    while (this.#deliverNext()) await nextTurn();
    this.#isDelivering = false;
  }

  #deliverNext(): boolean {
    try {
      const message = this.#buffer.readMessage();
      if (message !== null) this.onmessage?.(message);
      return message !== null;
    } catch (error) {
      // Skips a line that is not a message, as some servers print greetings to standard output.
      this.#failed(error);
      return true;
    }
  }

  #failed(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  #ended(): void {
    while (!this.#isClosed && this.#deliverNext());
    this.#closed();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

const LONGEST_MESSAGE = 10 * 1024 ** 2;
