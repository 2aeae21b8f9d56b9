import { opening } from './opening.ts';

type AsyncMethods<Port> = {
  readonly [Name in keyof Port]: (...input: never[]) => Promise<unknown>;
};

/**
 * A port whose adapter is loaded at its first call, so that a command pays only for what it uses.
 * One that could not be loaded is loaded anew at the next call. Every method of such a port must be async.
 */
export function deferred<Port extends AsyncMethods<Port>>(load: () => Promise<Port>): Port {
  const loaded = opening(load);
  return new Proxy({} as Port, {
    get(_, name: string & keyof Port) {
      return async (...input: never[]) => {
        const port = await loaded.use();
        return port[name](...input);
      };
    },
  });
}

/** Until something is made, the methods in `absent` answer in place of the port's own, which would make it. */
export function unlessMade<Port extends object>(
  isMade: () => boolean,
  port: Port,
  absent: Partial<Port>,
): Port {
  return new Proxy(port, {
    get: (kept, name: string & keyof Port) => (isMade() ? kept[name] : (absent[name] ?? kept[name])),
  });
}
