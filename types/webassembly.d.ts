/** The part of the engine's WebAssembly that is used here; it is declared only for browsers elsewhere. */
declare namespace WebAssembly {
  type ImportObject = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  interface ImportDescriptor {
    readonly module: string;
    readonly name: string;
    readonly kind: string;
  }

  interface ExportDescriptor {
    readonly name: string;
    readonly kind: string;
  }

  class Module {
    constructor(bytes: Uint8Array);
    static imports(module: Module): ImportDescriptor[];
    static exports(module: Module): ExportDescriptor[];
  }

  class Instance {
    constructor(module: Module, imports?: ImportObject);
    readonly exports: Readonly<Record<string, unknown>>;
  }

  class Memory {
    constructor(limits: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }

  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}

  function compile(bytes: Uint8Array): Promise<Module>;
}
