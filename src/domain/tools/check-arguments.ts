import { isDeeperThan, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { checkValue } from './schema/check-value.ts';
import { fillDefaults } from './schema/fill-defaults.ts';
import { describeValue, problemText } from './schema/problem.ts';
import type { Tool } from './tool.ts';

export type CheckedArguments =
  | { readonly fits: true; readonly arguments: JsonObject }
  /** Tells the model what to change. */
  | { readonly fits: false; readonly message: string };

/** Fills in defaults and checks against the tool's schema, before anything of the call runs. */
export function checkArguments(
  tool: Pick<Tool, 'name' | 'parameters' | 'aliases'>,
  given: Json,
): CheckedArguments {
  if (!isJsonObject(given)) return misfit(tool.name, [`must be one object, not ${describeValue(given)}`]);
  if (isDeeperThan(given, MAX_DEPTH))
    return misfit(tool.name, [`must not be nested more than ${MAX_DEPTH} levels deep`]);
  const complete = fillDefaults(tool.parameters, renamed(given, tool.aliases ?? {}));
  const problems = checkValue(tool.parameters, complete);
  if (problems.length > 0) return misfit(tool.name, problems.map(problemText));
  return { fits: true, arguments: isJsonObject(complete) ? complete : given };
}

/** A parameter under its present name is never replaced. */
function renamed(given: JsonObject, aliases: Readonly<Record<string, string>>): JsonObject {
  const members = Object.entries(given).map(([name, value]): [string, Json] => {
    const present = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return [present === undefined || Object.hasOwn(given, present) ? name : present, value];
  });
  return Object.fromEntries(members);
}

const MAX_DEPTH = 64;
const MAX_PROBLEMS_SHOWN = 10;

function misfit(name: string, problems: readonly string[]): CheckedArguments {
  const shown = problems.slice(0, MAX_PROBLEMS_SHOWN).map((problem) => `- ${problem}`);
  const more = problems.length - shown.length;
  const lines = [`The arguments of "${name}" do not fit its parameters:`, ...shown];
  if (more > 0) lines.push(`- and ${more} more`);
  return { fits: false, message: lines.join('\n') };
}
