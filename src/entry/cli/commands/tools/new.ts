import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { Json } from '../../../../base/json.ts';
import { isDevice } from '../../../../base/text.ts';
import type { ToolLanguage } from '../../../../domain/tools/tool-author.ts';
import { command } from '../../command.ts';

const LANGUAGES = ['ts', 'c', 'rust', 'go'] as const satisfies readonly ToolLanguage[];
const ACCESSES = ['none', 'read', 'write'];

export const newTool = command({
  name: 'new',
  summary: 'create a new tool from a working template',
  description:
    'Makes the directory .ken/tools/NAME with the tool, the contract and a README, and an entry in .ken/config.toml. ' +
    '"ken tools build NAME" then makes a Wasm component of it. Nothing that exists is changed.',
  examples: ['tools new hello', 'tools new count-lines --lang c'],
  arguments: [{ name: 'name', summary: 'letters, digits, "_" and "-"', required: true }],
  options: [
    { flags: '--lang <language>', summary: 'the programming language', choices: LANGUAGES },
    {
      flags: '--access <access>',
      summary:
        'what it may do with the files of the workspace; at a terminal you are asked, otherwise it is read',
      choices: ACCESSES,
    },
  ],

  async run({ arguments: [name = ''], options, terminal, signal, open }) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name) || isDevice(name)) {
      throw new Fault('cli/usage', `"${name}" cannot be the name of a tool.`, {
        hint: 'Use letters, digits, "_" and "-", at most 64.',
      });
    }
    const app = await open();
    if (await isDefined(app, name)) {
      throw new Fault('files/exists', `There is a tool "${name}" already.`, { hint: 'See "ken tools ls".' });
    }
    const language = LANGUAGES.find((each) => each === options.text('lang')) ?? 'ts';
    const access = options.text('access') ?? (await askAccess(app, name, signal));
    const directory = `.ken/tools/${name}`;
    const files = await app.toolAuthor.template(language, name);
    await app.newFiles.create(path.join(app.workspace.root, directory), files);
    const config = await configure(app, name, access);
    if (terminal.json) terminal.printJson({ name, language, directory, config });
    else terminal.note(`The tool ${name} is in ${directory}. Build it with "ken tools build ${name}".`);
  },
});

/** True if the name is taken, also by a definition that is not trusted yet. */
async function isDefined({ config, definitions }: WorkspaceApp, name: string): Promise<boolean> {
  if (Object.hasOwn(config.conversation.tools, name)) return true;
  const sources = await definitions.all();
  return sources.some((source) => source.definitions.some(({ key }) => key === `conversation.tools.${name}`));
}

/** The template reads, so that is the answer where nobody is asked. */
async function askAccess({ questioner }: WorkspaceApp, name: string, signal: AbortSignal): Promise<string> {
  if (!(await questioner.isThere())) return 'read';
  const question = {
    id: 'access',
    text: `What may ${name} do with the files of this workspace?`,
    answerType: { select: { options: ACCESSES } },
    default: 'read',
  };
  const answer = await questioner.ask('ken', question, signal);
  return typeof answer === 'string' ? answer : 'read';
}

/** Returns the file that it wrote to. */
async function configure(
  { workspace, configFiles }: WorkspaceApp,
  name: string,
  access: string,
): Promise<string> {
  const { setKey } = await import('../../../../config/set-key.ts');
  const file = path.join(workspace.home, 'config.toml');
  const set = async (key: readonly string[], value: Json) => {
    const change = { op: 'set', path: ['conversation', 'tools', name, ...key], value } as const;
    await setKey(configFiles, { file, standing: 'workspace', change });
  };
  await set(['source'], 'local');
  await set(['wasm'], `.ken/tools/${name}.wasm`);
  await set(['description'], 'Greets somebody and says what is in the workspace.');
  await set(['access'], access);
  await set(['parameters', 'name', 'type'], 'string');
  await set(['parameters', 'name', 'description'], 'Whom to greet.');
  await set(['parameters', 'name', 'required'], true);
  return file;
}
