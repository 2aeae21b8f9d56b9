/**
 * The host's objects as the generated glue gets them: only their own functions, so that an inherited name like
 * `to-string` finds nothing, and resources cannot be constructed. A second wall behind check-imports.ts.
 */

export type WasiInterface = Readonly<Record<string, unknown>>;

/** The parts of a class besides its methods that a guest may use, because the WIT has them. */
export interface GuestRights {
  readonly canConstruct: boolean;
  readonly statics: readonly string[];
}

const NO_RIGHTS: GuestRights = { canConstruct: false, statics: [] };

/** Classes, which have capital initials, become `guestClass`es; `rights` are those of the ones that have any. */
export function sealImports<Name extends string>(
  imports: Readonly<Record<Name, WasiInterface>>,
  rights: ReadonlyMap<unknown, GuestRights> = new Map(),
): Readonly<Record<Name, WasiInterface>> {
  return withoutInherited(imports, (members) =>
    withoutInherited(members, (member, name) =>
      isClass(member, name) ? guestClass(member, rights.get(member) ?? NO_RIGHTS) : member,
    ),
  );
}

function withoutInherited<Value, Kept>(
  members: Readonly<Record<string, Value>>,
  keep: (member: Value, name: string) => Kept,
): Readonly<Record<string, Kept>> {
  const kept: Record<string, Kept> = Object.create(null);
  for (const [name, member] of Object.entries(members)) kept[name] = keep(member, name);
  return Object.freeze(kept);
}

function isClass(member: unknown, name: string): member is new () => object {
  return typeof member === 'function' && /^[A-Z]/.test(name);
}

/** Stands for a class: `instanceof` works; `new`, static members and inherited methods are missing unless it has them. */
function guestClass(type: new (...given: never[]) => object, { canConstruct, statics }: GuestRights): object {
  const { prototype } = type;
  Object.setPrototypeOf(prototype, null);
  Reflect.deleteProperty(prototype, 'constructor');
  Object.freeze(prototype);
  function construct(...given: unknown[]): unknown {
    if (canConstruct && new.target) return Reflect.construct(type, given);
    throw new TypeError('only the host makes resources');
  }
  construct.prototype = prototype;
  Object.setPrototypeOf(construct, null);
  for (const name of statics) {
    const member: unknown = Reflect.get(type, name);
    Object.defineProperty(construct, name, { value: (...given: unknown[]) => call(member, given) });
  }
  return Object.freeze(construct);
}

function call(member: unknown, given: readonly unknown[]): unknown {
  if (typeof member !== 'function') throw new TypeError('a static function is missing');
  return Reflect.apply(member, undefined, given);
}
