const lastAt = new WeakMap<object, Promise<unknown>>();

/** Runs what asks at this terminal after everything else that does: two questions at once could not be told apart. */
export function oneAtATime<Result>(terminal: object, ask: () => Promise<Result>): Promise<Result> {
  const answer = (lastAt.get(terminal) ?? Promise.resolve()).then(ask);
  lastAt.set(
    terminal,
    answer.catch(() => {}),
  );
  return answer;
}
