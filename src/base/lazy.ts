export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export interface LazyResource<Opened> {
  /** Opens it unless it is open. One that could not be opened is tried again at the next use. */
  use(): Promise<Opened>;
  /** Undefined if it was never used or could not be opened. */
  current(): Promise<Opened | undefined>;
}

export function lazyResource<Opened>(open: () => Promise<Opened>): LazyResource<Opened> {
  let opening: Promise<Opened> | undefined;
  return {
    use() {
      if (opening) return opening;
      const begun = open();
      opening = begun;
      begun.catch(() => {
        if (opening === begun) opening = undefined;
      });
      return begun;
    },
    current: async () => opening?.catch(() => undefined),
  };
}

type AsyncMethods<Port> = {
  readonly [Name in keyof Port]: (...input: never[]) => Promise<unknown>;
};

/** Loads the adapter at the first call; after a failure, at the next one. Every method of the port must be async. */
export function lazyPort<Port extends AsyncMethods<Port>>(load: () => Promise<Port>): Port {
  return portAtEachCall(lazyResource(load).use);
}

/** Asks at each call which adapter to call. Every method of the port must be async. */
export function portAtEachCall<Port extends AsyncMethods<Port>>(find: () => Promise<Port>): Port {
  return new Proxy({} as Port, {
    get(_, name: string & keyof Port) {
      // Otherwise a promise of the port would take it for another promise.
      if (name === 'then') return undefined;
      return async (...input: never[]) => {
        const port = await find();
        return port[name](...input);
      };
    },
  });
}

export function lazyPorts<
  Name extends string & keyof Ports,
  Ports extends { readonly [Each in Name]: AsyncMethods<Ports[Each]> },
>(part: LazyResource<Ports>, names: readonly Name[]): Pick<Ports, Name> {
  const port = (name: Name) => lazyPort(async () => (await part.use())[name]);
  return Object.fromEntries(names.map((name) => [name, port(name)])) as Pick<Ports, Name>;
}

/** Until something is made, the methods in `absent` answer in place of the port's own, which would make it. */
export function untilMade<Port extends object>(
  isMade: () => boolean,
  port: Port,
  absent: Partial<Port>,
): Port {
  let wasMade = false;
  return new Proxy(port, {
    get(made, name: string & keyof Port) {
      wasMade ||= isMade();
      return wasMade ? made[name] : (absent[name] ?? made[name]);
    },
  });
}
