/** Writes and builds tools that are Wasm components. */

export type ToolLanguage = 'ts' | 'c';

export interface ToolAuthor {
  /** The files of a new tool that works. */
  template(language: ToolLanguage, name: string): Promise<readonly TemplateFile[]>;
  /**
   * Makes a component of the tool in this directory and puts it in place of `output`. The compilers are those that
   * the tool's package.json names; when they are not installed, that is a Fault of code `tools/no-compiler`.
   */
  build(directory: string, output: string): Promise<void>;
  /** The program that compiles C for WebAssembly here, with its C library; undefined when there is none. */
  findCCompiler(): Promise<string | undefined>;
}

export interface TemplateFile {
  /** Relative to the tool's directory, `/`-separated. */
  readonly path: string;
  readonly content: string;
}
