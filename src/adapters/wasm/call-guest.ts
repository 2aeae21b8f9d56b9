/** Runs one call of a guest with a WASI and an instance of its own. */

import type { GrantedDirectory } from '../../domain/tools/component-host.ts';
import type { Receipt } from '../../domain/tools/tool.ts';
import { ComponentError, type ComponentRefusal } from './component-error.ts';
import type { LoadedComponent, ToolInstance, WitOutcome } from './loaded-component.ts';
import { GuestEnd } from './wasi/error.ts';
import { createWasi, type Wasi, type WasiRequest } from './wasi/wasi.ts';

/** Plain values, as it is sent to another thread. */
export interface GuestCall extends WasiRequest {
  readonly directories: readonly GrantedDirectory[];
  readonly tool: string;
  readonly action: 'run' | 'format-arguments';
  readonly argumentsJson: string;
  readonly answersJson: string;
  readonly root: string;
  readonly memoryBytes: number;
}

export type GuestReply =
  | { readonly outcome: WitOutcome; readonly receipt: Receipt }
  | { readonly refusal: ComponentRefusal };

const LONGEST_OUTCOME = 32 * 1024 ** 2;

/** A WASI and an instance for one call. */
export interface FreshGuest {
  readonly wasi: Wasi;
  readonly instance: ToolInstance;
}

/** Instantiates a guest ahead of its call; undefined when that fails, as for guests that need their directories. */
export function prepareGuest(component: LoadedComponent, request: WasiRequest): FreshGuest | undefined {
  const wasi = createWasi(request);
  try {
    return { wasi, instance: component.instantiate(wasi.imports) };
  } catch {
    wasi.close();
    return undefined;
  }
}

/** `prepared` must not be used again. */
export function callGuest(component: LoadedComponent, call: GuestCall, prepared?: FreshGuest): GuestReply {
  const startMs = performance.now();
  const wasi = prepared?.wasi ?? createWasi(call);
  let instance = prepared?.instance;
  try {
    grant(wasi, call);
    instance ??= component.instantiate(wasi.imports);
    const context = { root: call.root, action: call.action };
    const outcome = instance.run(context, call.tool, call.argumentsJson, call.answersJson);
    requireShort(outcome);
    return { outcome, receipt: receiptOf(wasi, instance, startMs) };
  } catch (error) {
    return { refusal: refusalOf(error, { wasi, instance, memoryBytes: call.memoryBytes }) };
  } finally {
    wasi.close();
  }
}

function grant(wasi: Wasi, { directories }: GuestCall): void {
  try {
    wasi.grant(directories);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ComponentError('wasm/instantiate', `The tool cannot be given its directories: ${reason}.`);
  }
}

function receiptOf(wasi: Wasi, instance: ToolInstance, startMs: number): Receipt {
  return {
    milliseconds: Math.round((performance.now() - startMs) * 10) / 10,
    ...wasi.usage.files(),
    stdoutBytes: wasi.stdout.totalBytes,
    stderrBytes: wasi.stderr.totalBytes,
    ...(wasi.stdout.totalBytes > 0 ? { stdout: wasi.stdout.text() } : {}),
    ...(wasi.stderr.totalBytes > 0 ? { stderr: wasi.stderr.text() } : {}),
    memoryPeakBytes: instance.memoryBytes(),
  };
}

function requireShort(outcome: WitOutcome): void {
  const parts = outcome.tag === 'success' ? [outcome.val] : Object.values(outcome.val).flat();
  const length = parts.reduce<number>((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  if (length <= LONGEST_OUTCOME) return;
  throw new ComponentError('wasm/output', `The tool answered with ${length} characters, which is too much.`);
}

interface Circumstances {
  readonly wasi: Wasi;
  readonly instance: ToolInstance | undefined;
  readonly memoryBytes: number;
}

function refusalOf(error: unknown, { wasi, instance, memoryBytes }: Circumstances): ComponentRefusal {
  if (error instanceof ComponentError) return error.refusal;
  const printed = lastLines(wasi.stderr.text());
  const said = printed === '' ? '' : ` It printed: ${printed}`;
  if (error instanceof GuestEnd) {
    const code = error.reason === 'exit' ? 'wasm/trap' : 'wasm/output';
    return { code, message: `The tool ended early: ${error.message}${said}` };
  }
  const reason = reasonOf(error);
  if (!instance)
    return { code: 'wasm/instantiate', message: `The component cannot be started: ${reason}.${said}` };
  if (instance.memoryBytes() > memoryBytes * 0.9) {
    const hint = 'Give it less to do, or raise tools.wasm.memory_mib.';
    return { code: 'wasm/out-of-memory', message: `The tool ran out of memory: ${reason}.${said}`, hint };
  }
  return { code: 'wasm/trap', message: `The tool crashed: ${reason}.${said}` };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/^wasm trap: /, '');
}

function lastLines(text: string): string {
  return text.trimEnd().slice(-500);
}
