import { Fault } from '../base/fault.ts';

interface Closing extends AsyncDisposable {
  close(): Promise<void>;
}

/** After closing, `methods` reject and `streams` throw a Fault. Calls in progress continue. */
export function untilClosed<Methods extends object, Streams extends object>(
  methods: Methods,
  streams: Streams,
  close: () => Promise<void>,
): Methods & Streams & Closing {
  let closed: Promise<void> | undefined;
  const open = <Given extends readonly unknown[], Result>(member: (...given: Given) => Result) => {
    return (...given: Given) => {
      if (closed) throw new Fault('workspace/closed', 'This workspace was closed.', { hint: HINT });
      return member(...given);
    };
  };
  const guarded = Object.entries(methods).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member];
    const whileOpen = open(member);
    return [name, async (...given: readonly unknown[]) => whileOpen(...given)];
  });
  const members = [...guarded, ...Object.entries(streams).map(([name, member]) => [name, open(member)])];
  const end = () => {
    closed ??= close();
    return closed;
  };
  return { ...Object.fromEntries(members), close: end, [Symbol.asyncDispose]: end };
}

const HINT = 'Call openWorkspace again, or close later.';
