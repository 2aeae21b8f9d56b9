import { memberOf } from '../../../base/json.ts';
import { secretMask } from '../../../domain/tools/components/secrets.ts';
import { ComponentError, shortened } from '../component-error.ts';
import { type OwnFunction, successOf } from '../types/own-functions.ts';
import { GuestEnd } from '../wire/error.ts';
import {
  type Done,
  type FromRunner,
  LONGEST_DATA,
  LONGEST_OUTCOME,
  MOST_TEXTS,
  type ToRunner,
  type Used,
} from '../wire/messages.ts';
import { fromGuest, glueName, toGuest } from './convert-values.ts';
import type { LoadedComponent, ToolInstance, WitOutcome } from './loaded-component.ts';
import { createWasi, type Wasi, type WasiRequest } from './wasi.ts';

export type GuestCall = Extract<ToRunner, { tag: 'call' }>['val'];

export interface CallResult {
  readonly reply: Extract<FromRunner, { tag: 'done' | 'refused' }>;
  readonly used: Used;
}

export function callGuest(
  component: LoadedComponent,
  call: GuestCall,
  host: Pick<WasiRequest, 'outputBytes' | 'files' | 'print'>,
): CallResult {
  const wasi = createWasi({ ...host, directories: call.directories, environment: call.environment });
  let instance: ToolInstance | undefined;
  try {
    instance = component.instantiate(wasi.imports);
    const outcome =
      call.ownFunction === undefined ? ran(instance, call) : called(instance, call.ownFunction, call);
    requireShort(outcome);
    const used = usedBy(wasi, instance);
    return { reply: { tag: 'done', val: { outcome: wireOutcome(outcome), used } }, used };
  } catch (error) {
    const used = usedBy(wasi, instance);
    const isFull = (used.memoryBytes ?? 0) > component.memoryBytes * 0.9;
    // Masked before it is cut: ken would not recognise half a secret.
    const mask = secretMask(call.environment.map(({ value }) => value));
    const how = { hasStarted: instance !== undefined, isFull, stderr: mask(wasi.stderr.text()) };
    const { tag, val } = refusalOf(error, how);
    return { reply: { tag, val: { ...val, used } }, used };
  }
}

function ran(instance: ToolInstance, call: GuestCall): WitOutcome {
  const context = { root: call.root, action: call.isRun ? 'run' : 'format-arguments' };
  return instance.run(context, call.tool, call.argumentsJson, call.answersJson);
}

/** Calls a function of the component's own world; its arguments and its result are JSON. */
function called(instance: ToolInstance, ownFunction: string, call: GuestCall): OwnOutcome {
  const { name, of, type }: OwnFunction = JSON.parse(ownFunction);
  const given = JSON.parse(call.argumentsJson);
  const values = type.parameters.map((parameter) => toGuest(parameter.type, memberOf(given, parameter.name)));
  const success = successOf(type);
  try {
    const value = instance.ownFunction(
      glueName(name),
      of === undefined ? undefined : glueName(of),
    )(...values);
    return { tag: 'data', val: success ? JSON.stringify(fromGuest(success, value)) : '' };
  } catch (error) {
    if (type.result?.kind !== 'result' || !isErrorOfGuest(error)) throw error;
    const told = type.result.error ? fromGuest(type.result.error, error.payload) : 'The tool failed.';
    const message = typeof told === 'string' ? told : JSON.stringify(told);
    return { tag: 'error', val: { message, trace: [], transient: false } };
  }
}

/** The glue throws the error of a result in an own property. */
function isErrorOfGuest(error: unknown): error is { readonly payload: unknown } {
  return typeof error === 'object' && error !== null && Object.hasOwn(error, 'payload');
}

type OwnOutcome = Extract<Done['outcome'], { tag: 'data' | 'error' }>;

/** Fields of the outcome alone, as the glue may have others. */
function wireOutcome(outcome: WitOutcome | OwnOutcome): Done['outcome'] {
  if (outcome.tag !== 'needs-input') return outcome;
  const { id, text, answerType, default: fallback } = outcome.val;
  return { tag: 'needs-input', val: { id, text, answerType, default: fallback } };
}

/** The call has ended, so what it printed is sent. */
function usedBy({ stdout, stderr }: Wasi, instance: ToolInstance | undefined): Used {
  stdout.flush();
  stderr.flush();
  return {
    stdoutBytes: stdout.totalBytes,
    stderrBytes: stderr.totalBytes,
    memoryBytes: instance?.memoryBytes(),
  };
}

function requireShort(outcome: WitOutcome | OwnOutcome): void {
  const parts =
    outcome.tag === 'success' || outcome.tag === 'data' ? [outcome.val] : Object.values(outcome.val).flat();
  const texts = parts.filter((part) => typeof part === 'string');
  const bytes = texts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const most = outcome.tag === 'data' ? LONGEST_DATA : LONGEST_OUTCOME;
  if (bytes <= most && texts.length <= MOST_TEXTS) return;
  const length = texts.reduce((sum, part) => sum + part.length, 0);
  throw new ComponentError('wasm/output', `The tool answered with ${length} characters, which is too much.`);
}

interface Circumstances {
  readonly hasStarted: boolean;
  /** The guest has used nearly all its memory. */
  readonly isFull: boolean;
  readonly stderr: string;
}

const BEFORE_A_CALL: Circumstances = { hasStarted: false, isFull: false, stderr: '' };

export function refusalOf(
  error: unknown,
  { hasStarted, isFull, stderr }: Circumstances = BEFORE_A_CALL,
): Extract<FromRunner, { tag: 'refused' }> {
  const refused = (code: ComponentError['refusal']['code'], message: string, hint?: string) =>
    ({ tag: 'refused', val: { code, message: shortened(message), hint, used: undefined } }) as const;
  if (error instanceof ComponentError) {
    return refused(error.refusal.code, error.refusal.message, error.refusal.hint);
  }
  const last = stderr.trimEnd().slice(-500);
  const said = last === '' ? '' : ` It printed: ${last}`;
  if (error instanceof GuestEnd) {
    const code = error.reason === 'exit' ? 'wasm/trap' : 'wasm/output';
    return refused(code, `The tool ended early: ${error.message}${said}`);
  }
  const reason = shortened(error instanceof Error ? error.message : String(error)).replace(
    /^wasm trap: /,
    '',
  );
  if (!hasStarted) return refused('wasm/instantiate', `The component cannot be started: ${reason}.${said}`);
  if (isFull) {
    const hint = 'Give it less to do, or raise tools.wasm.memory_mib.';
    return refused('wasm/out-of-memory', `The tool ran out of memory: ${reason}.${said}`, hint);
  }
  return refused('wasm/trap', `The tool crashed: ${reason}.${said}`);
}
