import { type FetchedTopic, workResult } from '../../../../domain/references/lifecycle/fetch-topic.ts';
import type { Terminal } from '../../terminal.ts';

export function printFetched(terminal: Terminal, fetched: FetchedTopic): void {
  if (terminal.json) terminal.printJson(fetched);
  else {
    terminal.print(fetched.topic_id);
    terminal.note(workResult(fetched).message);
  }
}
