import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { RunningProcess } from '../../base/running-process.ts';

/**
 * The protocol over the standard streams of a program. The SDK has one of its own, which knows nothing of process
 * groups and so leaves behind what a server started (npx starts the server as its child).
 */
export class ProcessTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  /** By these two the SDK knows that a server which does not answer its first question is an old one. */
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

  /** One in a turn: the SDK acts on notifications a little later, and a result that came with one would overtake it. */
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
      // A line that is no message is passed over: some servers print their greetings to standard output.
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
