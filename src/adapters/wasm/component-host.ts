/** Runs tools that are Wasm components, each call in a sandbox of its own. */

import { unlessAborted } from '../../base/concurrency.ts';
import { Fault } from '../../base/fault.ts';
import { type Json, type JsonObject, parseJson } from '../../base/json.ts';
import type { ComponentCall, ComponentHost, ComponentResult } from '../../domain/tools/component-host.ts';
import { type SecretStore, secretMask, secretSource } from '../../domain/tools/components/secrets.ts';
import { outcomeFromJson } from '../../domain/tools/outcome-json.ts';
import { EndedCall, failure, type Receipt, success, type ToolOutcome } from '../../domain/tools/tool.ts';
import { parseAllowList } from '../../domain/web/allow-list.ts';
import type { HttpSender } from '../../domain/web/web-client.ts';
import { ComponentLibrary, type LibrarySettings, type PreparedComponent } from './component-library.ts';
import { cancelled, type GuestCall, type Touched } from './process/guest-process.ts';
import { ProcessPool } from './process/process-pool.ts';
import { GUEST_RUNNER, keepingAlive, type RunnerProcess, startRunner } from './process/runner-process.ts';
import { successOf } from './types/own-functions.ts';
import type { Done } from './wire/messages.ts';

/** The network and the secrets, for tools whose entries grant them. */
export interface OutsidePorts {
  readonly sender: HttpSender;
  readonly secrets: SecretStore;
}

export interface WasmSettings extends LibrarySettings {
  /** Without it, tools have neither network nor secrets. */
  readonly outside?: OutsidePorts;
  /** The limit for each of standard output and standard error; the rest is dropped. */
  readonly outputBytes: number;
}

/** `spare` is a process that was started early; the first call takes it over. */
export function wasmComponentHost(settings: WasmSettings, spare?: Promise<RunnerProcess>): ComponentHost {
  const library = new ComponentLibrary(settings);
  const pool = new ProcessPool(settings, spare);
  return {
    async run(call, signal) {
      const component = await unlessCancelled(library.prepare(call.component), signal);
      const granted = await outsideOf(settings.outside, call);
      let startMs = performance.now();
      let touched: Touched | undefined;
      const onBegin = (begun: Touched) => {
        touched = begun;
        startMs = performance.now();
      };
      const replying = pool.withProcess(component, ownerOf(call), (guest) =>
        guest.call(
          { ...guestCallOf(call, component), ...granted },
          { timeoutMs: call.timeoutMs, signal, onBegin },
        ),
      );
      return masking(granted.environment, async () => {
        let receipt: Receipt | undefined;
        try {
          const reply = await unlessCancelled(replying, signal);
          receipt = receiptOf(reply.touched, startMs);
          return { ...(await resultOf(reply.done.outcome, component, call)), receipt };
        } catch (error) {
          if (!(error instanceof Fault) || !touched) throw error;
          await replying.catch(() => {});
          throw new EndedCall(error, receipt ?? { ...receiptOf(touched, startMs), ended: true });
        }
      });
    },
    async check(source, signal) {
      return (await unlessCancelled(library.prepare(source), signal)).facts;
    },
    describe: (source) => library.describe(source),
    async warm(source) {
      try {
        await pool.warm(library.prepare(source));
      } catch {
        // The call itself reports what is wrong.
      }
    },
    async walls() {
      const runner = await keepingAlive(startRunner(GUEST_RUNNER));
      await runner.end();
      return runner.walls;
    },
    async close() {
      library.close();
      await pool.close();
    },
  };
}

type ContractOutcome = Exclude<Done['outcome'], { tag: 'data' }>;
type Environment = NonNullable<GuestCall['environment']>;

/** Reads the secrets at each call, so that a changed one counts at once. */
async function outsideOf(
  ports: OutsidePorts | undefined,
  { outside }: ComponentCall,
): Promise<{ readonly environment: Environment } & Pick<GuestCall, 'network'>> {
  if (!ports || !outside) return { environment: [] };
  const environment = await Promise.all(
    outside.secrets.map(async ({ name, from }) => {
      return { name, value: await ports.secrets.read(secretSource(name, from)) };
    }),
  );
  if (outside.net.length === 0) return { environment };
  return { environment, network: { sender: ports.sender, hosts: parseAllowList(outside.net, 'net') } };
}

/** Masks the values of secrets in the result and in errors. */
async function masking(
  environment: Environment,
  work: () => Promise<ComponentResult>,
): Promise<ComponentResult> {
  if (environment.length === 0) return work();
  const mask = secretMask(environment.map(({ value }) => value));
  try {
    const { data, ...result } = await work();
    return { ...mapTexts(result, mask), ...(data && { data: mapTexts(data, mask, maskedNumber(mask)) }) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code, message, hint } = error;
    const masked = new Fault(code, mask(message), { hint: hint === undefined ? undefined : mask(hint) });
    throw error instanceof EndedCall ? new EndedCall(masked, mapTexts(error.receipt, mask)) : masked;
  }
}

type MapText = (text: string) => string;
type MapNumber = (value: number) => Json;

function mapTexts<Value>(value: Value, map: MapText, mapNumber?: MapNumber): Value;
function mapTexts(value: unknown, map: MapText, mapNumber: MapNumber = (same) => same): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value === 'number') return mapNumber(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map, mapNumber));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, each]) => [map(name), mapTexts(each, map, mapNumber)]));
}

/** A number whose digits are a secret becomes a text. */
function maskedNumber(mask: MapText): MapNumber {
  return (value) => {
    const masked = mask(String(value));
    return masked === String(value) ? value : masked;
  };
}

/** Stops waiting when cancelled. A translation goes on in the background, as the next call may need it. */
async function unlessCancelled<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  try {
    return await unlessAborted(work, signal);
  } catch (error) {
    throw signal.aborted ? cancelled() : error;
  }
}

/** Calls of different owners never share a process. */
function ownerOf({ component, tool, root, directories, outside }: ComponentCall): string {
  return JSON.stringify([component, tool, root, directories, outside]);
}

function guestCallOf(
  { tool, ownFunction, request, root, directories }: ComponentCall,
  { functions }: PreparedComponent,
): GuestCall {
  const own = functions.find(({ name }) => name === ownFunction);
  if (own === undefined && (ownFunction !== undefined || functions.length > 0)) {
    throw new Fault(
      'wasm/wrong-world',
      `The component has no function ${JSON.stringify(ownFunction ?? 'run')}.`,
      {
        hint: `It has: ${functions.map(({ name }) => name).join(', ') || 'run'}.`,
      },
    );
  }
  return {
    tool,
    ownFunction: own,
    action: request.action,
    argumentsJson: JSON.stringify(request.arguments),
    answersJson: JSON.stringify(request.answers),
    root,
    directories,
  };
}

function receiptOf({ usage, requests, output, used, processBytes }: Touched, startMs: number): Receipt {
  const [stdout, stderr] = [output.stdout.text(), output.stderr.text()];
  const memoryBytes = used?.memoryBytes;
  return {
    milliseconds: Math.round((performance.now() - startMs) * 10) / 10,
    ...usage.files(),
    ...(requests.length > 0 && { requests }),
    stdoutBytes: Math.max(output.stdout.length, used?.stdoutBytes ?? 0),
    stderrBytes: Math.max(output.stderr.length, used?.stderrBytes ?? 0),
    ...(stdout && { stdout }),
    ...(stderr && { stderr }),
    ...(memoryBytes !== undefined && { memoryPeakBytes: memoryBytes }),
    ...(memoryBytes === undefined && processBytes > 0 && { processPeakBytes: processBytes }),
  };
}

/** The result of a function of the component's own world must fit its type, as the process may have been taken over. */
async function resultOf(
  outcome: Done['outcome'],
  { functions }: PreparedComponent,
  { ownFunction }: ComponentCall,
): Promise<Pick<ComponentResult, 'outcome' | 'data'>> {
  const isOwn = outcome.tag === 'data' || outcome.tag === 'error';
  if (ownFunction === undefined ? outcome.tag === 'data' : !isOwn) throw misfit();
  if (outcome.tag !== 'data') return { outcome: outcomeFromWit(outcome) };
  const own = functions.find(({ name }) => name === ownFunction);
  const type = own && successOf(own.type);
  if (!type) return { outcome: success('Done.') };
  const data = { result: parseJson(outcome.val) ?? null };
  const { fitsType } = await import('./types/fits-type.ts');
  if (!fitsType(type, data.result)) throw misfit();
  return { outcome: success(textOf(data.result)), data };
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function misfit(): Fault {
  return new Fault('wasm/output', 'The tool returned what does not fit the type of its function.');
}

/** A question in a form that cannot be asked becomes a failure of the tool. */
function outcomeFromWit(outcome: ContractOutcome): ToolOutcome {
  const read = isEndlessQuestion(outcome) ? undefined : outcomeFromJson(outcomeJson(outcome));
  return read ?? failure('The tool asked a question that nobody could answer.');
}

/** In characters. Parts of a question are parsed, and a list of empty lists takes a hundred times its own size. */
const LONGEST_QUESTION = 262_144;

function isEndlessQuestion({ tag, val }: ContractOutcome): boolean {
  return tag === 'needs-input' && Object.values(val).some((text) => (text?.length ?? 0) > LONGEST_QUESTION);
}

/** The contract carries the answer's type and default as JSON text; text that is not JSON is taken literally. */
function outcomeJson(outcome: ContractOutcome): JsonObject {
  if (outcome.tag === 'success') return { type: 'success', content: outcome.val };
  if (outcome.tag === 'error') return { type: 'error', ...outcome.val };
  const { id, text, answerType, default: fallback } = outcome.val;
  const question = { id, text, 'answer-type': parseJson(answerType) ?? answerType };
  if (fallback === undefined) return { type: 'needs-input', question };
  return { type: 'needs-input', question: { ...question, default: parseJson(fallback) ?? fallback } };
}
