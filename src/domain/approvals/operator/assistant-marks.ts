/**
 * The marks by which an assistant can be told from the operator: variables that it sets on the commands it runs, and
 * the names of its programs. A mark that an editor also sets in its own terminal does not belong here.
 */

export interface VariableMark {
  readonly assistant: string;
  readonly variable: string;
  /** Only these values are a mark; absent: every value but an empty one, `0` and `false`. */
  readonly values?: readonly string[];
  readonly source: string;
}

export const VARIABLE_MARKS: readonly VariableMark[] = [
  { assistant: 'Claude Code', variable: 'CLAUDECODE', source: 'code.claude.com/docs/en/env-vars' },
  { assistant: 'Codex', variable: 'CODEX_THREAD_ID', source: 'codex-rs/core, exec environment' },
  { assistant: 'Codex', variable: 'CODEX_CI', source: 'codex-rs/core, unified exec' },
  { assistant: 'Codex', variable: 'CODEX_SANDBOX', source: 'codex-rs/core, spawn.rs' },
  {
    assistant: 'Codex',
    variable: 'CODEX_SANDBOX_NETWORK_DISABLED',
    source: 'codex-rs/core, spawn.rs',
  },
  { assistant: 'Gemini CLI', variable: 'GEMINI_CLI', source: 'gemini-cli docs, run_shell_command' },
  { assistant: 'Qwen Code', variable: 'QWEN_CODE', source: 'qwen-code docs, run_shell_command' },
  { assistant: 'Cursor’s agent', variable: 'CURSOR_AGENT', source: 'cursor.com/docs, agent terminal' },
  { assistant: 'Copilot in VS Code', variable: 'COPILOT_AGENT', source: 'vscode, toolTerminalCreator.ts' },
  { assistant: 'Goose', variable: 'GOOSE_TERMINAL', source: 'goose docs, environment variables' },
  { assistant: 'opencode', variable: 'OPENCODE', source: 'opencode, cli start' },
  { assistant: 'Cline', variable: 'CLINE_ACTIVE', source: 'cline, terminal manager' },
  { assistant: 'an assistant', variable: 'AI_AGENT', source: 'vercel detect-agent; set by Claude Code' },
  {
    assistant: 'an assistant',
    variable: 'AGENT',
    values: ['amp', 'claude', 'codex', 'gemini', 'goose', 'opencode'],
    source: 'goose docs, environment variables; Amp',
  },
];

export interface ProgramMark {
  readonly assistant: string;
  /** Name of the process, as the system lists it. */
  readonly program: string;
  readonly source: string;
}

export const PROGRAM_MARKS: readonly ProgramMark[] = [
  { assistant: 'Claude Code', program: 'claude', source: 'npm @anthropic-ai/claude-code' },
  { assistant: 'Codex', program: 'codex', source: 'npm @openai/codex' },
  { assistant: 'Gemini CLI', program: 'gemini', source: 'npm @google/gemini-cli' },
  { assistant: 'Qwen Code', program: 'qwen', source: 'npm @qwen-code/qwen-code' },
  { assistant: 'Cursor’s agent', program: 'cursor-agent', source: 'cursor.com/docs/cli' },
  { assistant: 'opencode', program: 'opencode', source: 'npm opencode-ai' },
];

type Environment = Readonly<Record<string, string | undefined>>;

export function markIn(environment: Environment): VariableMark | undefined {
  return VARIABLE_MARKS.find(({ variable, values }) => {
    const value = environment[variable]?.trim().toLowerCase() ?? '';
    return values ? values.includes(value) : value !== '' && value !== '0' && value !== 'false';
  });
}

export function markOf(program: string): ProgramMark | undefined {
  return PROGRAM_MARKS.find((mark) => mark.program === program);
}
