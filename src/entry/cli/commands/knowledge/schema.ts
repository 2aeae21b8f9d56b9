import { type Command, command, type OptionSpec } from '../../command.ts';

/** Generated from the commands, so that it lists only commands and parameters that exist. */
export function knowledgeSchema(commands: readonly Command[]): Command {
  return command({
    name: 'schema',
    summary: 'print the commands of the ledger and their parameters as JSON',
    examples: ['k schema'],
    async run({ terminal }) {
      terminal.printJson({
        name: 'knowledge',
        version: '1.0.0',
        description: 'Facts with provenance, versions and a merge and supersede lifecycle',
        commands: commands.map(commandSchema),
        storage: STORAGE,
      });
    },
  });
}

const STORAGE = [
  'knowledge.db',
  'knowledge.retrieval.events.jsonl',
  'knowledge.decay.events.jsonl',
  'knowledge.promotions.jsonl',
];

function commandSchema({ name, summary, arguments: operands = [], options = [] }: Command) {
  const parameters = [
    ...operands.map((each) => parameter(each.name, each.required, each.summary)),
    ...options.map((each) => parameter(nameOf(each), each.required, each.summary)),
  ];
  return { name, description: summary, parameters };
}

function parameter(name: string, required: boolean | undefined, description: string) {
  return { name, required: required === true, description };
}

/** `--merge-key <key>` becomes `merge_key`. */
function nameOf({ flags }: OptionSpec): string {
  return (/--([a-z-]+)/.exec(flags)?.[1] ?? flags).replaceAll('-', '_');
}
