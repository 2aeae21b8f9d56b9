type AsyncMethods<Port> = {
  readonly [Name in keyof Port]: (...input: never[]) => Promise<unknown>;
};

/**
 * A port whose adapter is loaded at its first call, so that a command pays only for what it uses.
 * Every method of such a port must be async.
 */
export function deferred<Port extends AsyncMethods<Port>>(load: () => Promise<Port>): Port {
  let loaded: Promise<Port> | undefined;
  return new Proxy({} as Port, {
    get(_, name: string & keyof Port) {
      return async (...input: never[]) => {
        loaded ??= load();
        const port = await loaded;
        return port[name](...input);
      };
    },
  });
}
