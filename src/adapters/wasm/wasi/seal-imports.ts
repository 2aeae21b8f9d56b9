/**
 * The host's objects as the generated glue gets them. They offer their own functions and nothing inherited, so that a
 * name like `to-string` or `value-of` finds nothing, and resources cannot be constructed. This is a second wall behind
 * check-imports.ts.
 */

export type WasiInterface = Readonly<Record<string, unknown>>;

/** Classes, which have capital initials, become `guestClass`es. */
export function sealImports<Name extends string>(
  imports: Readonly<Record<Name, WasiInterface>>,
): Readonly<Record<Name, WasiInterface>> {
  return withoutInherited(imports, (members) =>
    withoutInherited(members, (member, name) =>
      typeof member === 'function' && /^[A-Z]/.test(name) ? guestClass(member) : member,
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

/**
 * Stands for a class: `instanceof` works with it, `new` throws, and it has no static members. Instances of the class
 * keep the methods of the class alone.
 */
function guestClass(type: { readonly prototype: object }): object {
  const { prototype } = type;
  Object.setPrototypeOf(prototype, null);
  Reflect.deleteProperty(prototype, 'constructor');
  Object.freeze(prototype);
  function construct(): never {
    throw new TypeError('only the host makes resources');
  }
  construct.prototype = prototype;
  Object.setPrototypeOf(construct, null);
  return Object.freeze(construct);
}
