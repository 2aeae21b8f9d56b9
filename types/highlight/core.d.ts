/** The part of highlight.js that is used here; its own types bring in everything that a browser has. */

export type LanguageFn = (hljs: never) => unknown;

export interface Emitter {
  startScope(scope: string): void;
  endScope(): void;
  addText(text: string): void;
  toHTML(): string;
  finalize(): void;
  __addSublanguage(inner: Emitter, language: string): void;
}

export interface HLJSApi {
  registerLanguage(name: string, language: LanguageFn): void;
  getLanguage(name: string): object | undefined;
  configure(options: { readonly __emitter: new () => Emitter }): void;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly _emitter: Emitter };
}

declare const hljs: HLJSApi;
// biome-ignore lint/style/noDefaultExport: the package has no other.
export default hljs;
