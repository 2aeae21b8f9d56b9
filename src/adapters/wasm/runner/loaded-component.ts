import { Script } from 'node:vm';
import { ComponentError } from '../component-error.ts';
import type { TranslatedModule } from '../translate-component.ts';
import type { WasiImports } from './wasi.ts';

export interface ComponentParts {
  readonly glue: string;
  /** The code that V8 compiled from the glue in an earlier process, before anything of a guest ran there. */
  readonly compiledGlue: Uint8Array | undefined;
  readonly modules: readonly TranslatedModule[];
  /** The limit for all memories together. */
  readonly memoryPages: number;
}

interface LoadedModule {
  readonly module: WebAssembly.Module;
  /** The most that one instance can use. */
  readonly memoryPages: number;
  readonly tableEntries: number;
}

type Instantiate = (
  getCoreModule: (name: string) => WebAssembly.Module,
  imports: WasiImports,
  instantiateCore: (module: WebAssembly.Module, imports?: WebAssembly.ImportObject) => WebAssembly.Instance,
) => Readonly<Record<string, unknown>>;

/** The exported `run` as the glue presents it. */
export type RunExport = (
  context: { readonly root: string; readonly action: string },
  tool: string,
  argumentsJson: string,
  answersJson: string,
) => WitOutcome;

export type WitOutcome =
  | { readonly tag: 'success'; readonly val: string }
  | {
      readonly tag: 'error';
      readonly val: {
        readonly message: string;
        readonly trace: readonly string[];
        readonly transient: boolean;
      };
    }
  | {
      readonly tag: 'needs-input';
      readonly val: {
        readonly id: string;
        readonly text: string;
        readonly answerType: string;
        readonly default?: string;
      };
    };

export interface ToolInstance {
  readonly run: RunExport;
  /** A function of the component's own world, or of an interface that it exports, by the names that the glue gives. */
  ownFunction(name: string, of?: string): (...given: unknown[]) => unknown;
  /** The size of all memories together. Memories never shrink, so it is also the peak. */
  memoryBytes(): number;
}

export class LoadedComponent {
  readonly #parts: ComponentParts;
  readonly #modules: ReadonlyMap<string, LoadedModule>;
  readonly #instantiate: Instantiate;
  /** The code to cache; undefined when cached code was used. No call of a guest has any part in it. */
  readonly compiledGlue: Uint8Array | undefined;

  /** Compiles everything and executes nothing of the guest. */
  constructor(parts: ComponentParts) {
    this.#parts = parts;
    const { script, code } = compileGlue(parts);
    this.compiledGlue = code;
    this.#modules = new Map(parts.modules.map((module) => [module.name, compile(module)]));
    this.#instantiate = script.runInThisContext();
  }

  /** The most memory that an instance may have. */
  get memoryBytes(): number {
    return this.#parts.memoryPages * PAGE_BYTES;
  }

  instantiate(imports: WasiImports): ToolInstance {
    const memories = new Set<WebAssembly.Memory>();
    const budget = new Budget([...this.#modules.values()], this.#parts.memoryPages);
    const exports = this.#instantiate(
      (name) => this.#module(name).module,
      imports,
      (module, coreImports) => {
        budget.spend(module);
        const instance = new WebAssembly.Instance(module, coreImports);
        for (const value of Object.values(instance.exports)) {
          if (value instanceof WebAssembly.Memory) memories.add(value);
        }
        return instance;
      },
    );
    const memoryBytes = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    const ownFunction = (name: string, of?: string) => {
      const found = own(of === undefined ? exports : own(exports, of), name);
      if (typeof found !== 'function') throw new Error(`the glue has no function ${name}`);
      return found as (...given: unknown[]) => unknown;
    };
    return { run: (...given) => (exports.run as RunExport)(...given), ownFunction, memoryBytes };
  }

  #module(name: string): LoadedModule {
    const found = this.#modules.get(name);
    if (!found) throw new Error(`the glue asks for ${name}, which is not there`);
    return found;
  }
}

/** An own member; undefined for what is inherited, or where there is no object. */
function own(holder: unknown, name: string): unknown {
  const isObject = typeof holder === 'object' && holder !== null;
  return isObject && Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
}

// Read at load time, because the runner deletes `process` before it loads a guest.
const { getBuiltinModule } = process;

/** Takes the place of code that was rejected: V8 has compiled the script by then, and would not compile it whole. */
const NO_CODE = new Uint8Array();

interface CompiledGlue {
  readonly script: Script;
  /** Absent when cached code was used. */
  readonly code?: Uint8Array;
}

function compileGlue({ glue, compiledGlue }: ComponentParts): CompiledGlue {
  const filename = 'component-glue.js';
  if (compiledGlue?.length) {
    const script = new Script(glue, { filename, cachedData: compiledGlue });
    return script.cachedDataRejected ? { script, code: NO_CODE } : { script };
  }
  const script = compiledWhole(() => new Script(glue, { filename }));
  return { script, code: script.createCachedData() };
}

/** V8 compiles a function when it is called first, but the code is made before any is. */
function compiledWhole(make: () => Script): Script {
  const { setFlagsFromString } = getBuiltinModule('node:v8');
  setFlagsFromString('--no-lazy');
  try {
    return make();
  } finally {
    // Code is accepted only under the flags under which it is written.
    setFlagsFromString('--lazy');
  }
}

function compile({ bytes, memoryPages, tableEntries }: TranslatedModule): LoadedModule {
  try {
    return { module: new WebAssembly.Module(Uint8Array.from(bytes)), memoryPages, tableEntries };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ComponentError('wasm/malformed', `The component cannot be compiled: ${reason.slice(0, 300)}`);
  }
}

const PAGE_BYTES = 65_536;

/** Counts memory, tables and instances, as a component may instantiate one module several times. */
class Budget {
  readonly #modules: readonly LoadedModule[];
  readonly #mostPages: number;
  #memoryPages = 0;
  #tableEntries = 0;
  #instances = 0;

  constructor(modules: readonly LoadedModule[], mostPages: number) {
    this.#modules = modules;
    this.#mostPages = mostPages;
  }

  spend(module: WebAssembly.Module): void {
    const cost = this.#modules.find((candidate) => candidate.module === module);
    this.#memoryPages += cost?.memoryPages ?? 0;
    this.#tableEntries += cost?.tableEntries ?? 0;
    this.#instances += 1;
    const tooMuch =
      this.#memoryPages > this.#mostPages ||
      this.#tableEntries > MOST_TABLE_ENTRIES ||
      this.#instances > MOST_INSTANCES;
    if (tooMuch) {
      throw new ComponentError(
        'wasm/too-large',
        'The component instantiates more modules than it has room for.',
      );
    }
  }
}

const MOST_TABLE_ENTRIES = 1_000_000;
const MOST_INSTANCES = 1000;
