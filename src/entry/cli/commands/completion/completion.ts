import { command } from '../../command.ts';
import { SCRIPTS } from '../../completion/scripts.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion = command({
  name: 'completion',
  summary: 'print the completion script for a shell',
  description:
    'Load it where your shell starts: bash from ~/.bashrc, zsh from ~/.zshrc after compinit, fish from ' +
    '~/.config/fish/completions/ken.fish.',
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/ken',
    'completion zsh > ~/.zfunc/_ken',
    'completion fish > ~/.config/fish/completions/ken.fish',
  ],
  arguments: [{ name: 'shell', summary: 'the shell it is for', required: true, choices: SHELLS }],

  async run({ arguments: [wanted], terminal }) {
    for (const shell of SHELLS) if (shell === wanted) terminal.write(SCRIPTS[shell]);
  },
});
