import { Fault } from '../base/fault.ts';

interface Closing extends AsyncDisposable {
  close(): Promise<void>;
}

/** Methods that, once closed, say that they are. What was begun before goes on; closing again does nothing. */
export function untilClosed<Methods extends object>(
  methods: Methods,
  close: () => Promise<void>,
): Methods & Closing {
  let closed: Promise<void> | undefined;
  const members = Object.entries(methods).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member];
    const guarded = async (...given: readonly unknown[]) => {
      if (closed) throw new Fault('workspace/closed', 'This workspace was closed.', { hint: HINT });
      return member(...given);
    };
    return [name, guarded];
  });
  const end = () => {
    closed ??= close();
    return closed;
  };
  return { ...Object.fromEntries(members), close: end, [Symbol.asyncDispose]: end };
}

const HINT = 'Call openWorkspace again, or close later.';
