export type ToolLanguage = 'ts' | 'c' | 'rust' | 'go';

export interface ToolAuthor {
  /** Files of a new, working tool. */
  template(language: ToolLanguage, name: string): Promise<readonly TemplateFile[]>;
  /**
   * Compiles the tool in this directory and replaces `output`. The compilers run in processes of their own, without the
   * operator's environment; a Fault `tools/no-compiler` when they are not installed.
   */
  build(directory: string, output: string): Promise<void>;
  /** Installs the compilers for the tool in this directory, for all workspaces. */
  installCompilers(directory: string, signal: AbortSignal): Promise<void>;
  /** Copies a component to the operator's own tools and returns its path there. Its bytes must have this digest. */
  install(file: string, sha256: string): Promise<string>;
  /** The local program that compiles C to WebAssembly, with its C library; undefined when there is none. */
  findCCompiler(): Promise<string | undefined>;
}

export interface TemplateFile {
  /** Relative to the tool's directory, `/`-separated. */
  readonly path: string;
  readonly content: string;
}
