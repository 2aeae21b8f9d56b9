import { counted } from '../../../../base/text.ts';
import { checkLibrary, type LibraryFinding } from '../../../../domain/references/topic/check-library.ts';
import { command } from '../../command.ts';
import { type Column, table } from '../../render/table.ts';

export const checkReferences = command({
  name: 'doctor',
  summary: 'check that every topic is whole and is what was fetched',
  description: 'Reads every file. Exit 6 when anything is found.',
  examples: ['ref doctor'],

  async run({ terminal, signal, openAnywhere }) {
    const { topics, files, findings } = await checkLibrary(await openAnywhere(), signal);
    if (terminal.json) terminal.printJson({ topics, files, findings });
    else if (findings.length > 0) terminal.printStyled(table(terminal, COLUMNS, findings.map(row)));
    else terminal.note(`${counted(topics, 'topic')}, ${counted(files, 'file')}: nothing is wrong.`);
    return findings.length > 0 ? 6 : 0;
  },
});

const COLUMNS: readonly Column[] = [
  { title: 'topic' },
  { title: 'what is wrong', flexible: true },
  { title: 'what to do', flexible: true },
];

function row({ topic_id, problem, hint }: LibraryFinding): string[] {
  return [topic_id ?? '', problem, hint];
}
