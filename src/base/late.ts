/** A value made at its first use: for what takes milliseconds that most commands need not pay. */
export function late<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
