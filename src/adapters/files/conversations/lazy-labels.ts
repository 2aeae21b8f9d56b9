import { parseJson } from '../../../base/json.ts';
import { labelsFromJson } from '../../../domain/conversations/metadata-file.ts';
import type { Labels } from '../../../domain/labels/label.ts';

/** Labels that are parsed from their JSON text at the first access: most rows of a long list never need theirs. */
export class LazyLabels implements Labels {
  readonly #text: string;
  #parsed: Labels | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get size(): number {
    return this.#labels.size;
  }

  get(key: string): string | undefined {
    return this.#labels.get(key);
  }

  has(key: string): boolean {
    return this.#labels.has(key);
  }

  forEach(visit: (value: string, key: string, labels: Labels) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  keys(): MapIterator<string> {
    return this.#labels.keys();
  }

  values(): MapIterator<string> {
    return this.#labels.values();
  }

  entries(): MapIterator<[string, string]> {
    return this.#labels.entries();
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }

  get #labels(): Labels {
    this.#parsed ??= labelsFromJson(parseJson(this.#text));
    return this.#parsed;
  }
}
