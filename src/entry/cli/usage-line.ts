import type { ArgumentSpec, Command } from './command.ts';

export interface CommandPath {
  readonly command: Command;
  /** The words that lead to it, `ken` first. */
  readonly path: readonly string[];
}

/** `ken learn [options] <topic> [subject...]` */
export function usageLine({ command, path }: CommandPath): string {
  const verb = command.subcommands ? [command.run ? '[command]' : '<command>'] : [];
  return [...path, ...verb, '[options]', ...(command.arguments ?? []).map(written)].join(' ');
}

function written({ name, required, variadic }: ArgumentSpec): string {
  const many = variadic ? `${name}...` : name;
  return required ? `<${many}>` : `[${many}]`;
}
