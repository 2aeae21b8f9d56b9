/** The types of WIT with all names replaced by what they stand for. */

import type { WitFunction, WitInterface, WitType } from './parse-wit.ts';
import { type FunctionType, type NamedType, PRIMITIVES, type ValueType } from './value-type.ts';

export class WitResolver {
  readonly #interfaces: ReadonlyMap<string, WitInterface>;

  constructor(interfaces: readonly WitInterface[]) {
    this.#interfaces = new Map(interfaces.map((each) => [each.name, each]));
  }

  namedTypes(from: WitInterface): Map<string, NamedType> {
    const names = [...from.uses.map((use) => use.as), ...from.types.map(({ name }) => name)];
    return new Map(names.map((name) => [name, this.#lookup(name, from)]));
  }

  functions(from: WitInterface): Map<string, FunctionType> {
    return new Map(from.functions.map(({ name, type }) => [name, this.#function(type, from)]));
  }

  #function({ parameters, result }: WitFunction, from: WitInterface): FunctionType {
    return {
      parameters: parameters.map(({ name, type }) => ({ name, type: this.#value(type, from) })),
      result: result && this.#value(result, from),
    };
  }

  #lookup(name: string, from: WitInterface): NamedType {
    const use = from.uses.find((each) => each.as === name);
    if (use) return this.#lookup(use.name, this.#interface(use.from));
    const own = from.types.find((each) => each.name === name);
    if (!own) throw new Error(`the WIT of ${from.name} has no ${name}`);
    if (own.type.kind === 'resource') return { resource: `${from.name}.${name}` };
    // An alias of a resource is the same resource.
    if (own.type.kind === 'name' && !isPrimitive(own.type.name)) return this.#lookup(own.type.name, from);
    return { value: this.#value(own.type, from) };
  }

  #interface(name: string): WitInterface {
    const found = this.#interfaces.get(name);
    if (!found) throw new Error(`there is no WIT of ${name}`);
    return found;
  }

  #value(type: WitType, from: WitInterface): ValueType {
    const value = (part: WitType) => this.#value(part, from);
    switch (type.kind) {
      case 'name': {
        if (isPrimitive(type.name)) return { kind: 'primitive', name: type.name };
        const found = this.#lookup(type.name, from);
        return 'value' in found ? found.value : { kind: 'own', resource: found.resource };
      }
      case 'handle': {
        const found = this.#lookup(type.name, from);
        if ('value' in found) throw new Error(`${type.name} in ${from.name} is not a resource`);
        return { kind: type.handle, resource: found.resource };
      }
      case 'list':
      case 'option':
        return { kind: type.kind, of: value(type.of) };
      case 'result':
        return { kind: 'result', ok: type.ok && value(type.ok), error: type.error && value(type.error) };
      case 'tuple':
        return { kind: 'tuple', parts: type.parts.map(value) };
      case 'record':
        return { kind: 'record', fields: type.fields.map((each) => ({ ...each, type: value(each.type) })) };
      case 'variant':
        return {
          kind: 'variant',
          cases: type.cases.map((each) => ({ ...each, type: each.type && value(each.type) })),
        };
      case 'enum':
      case 'flags':
        return type;
      case 'resource':
        throw new Error(`a resource of ${from.name} has no name`);
    }
  }
}

function isPrimitive(name: string): name is (typeof PRIMITIVES)[number] {
  return (PRIMITIVES as readonly string[]).includes(name);
}
