// Declares the command that prints completion scripts.
import { command } from '../terminal/command.ts';

export const completionCommand = command({
  name: 'completion',
  group: 'Shell',
  summary: 'print a script that completes words as you type',
  details: [
    'It completes commands, options, and what the server knows: resources, ids, pipelines and agents. The server is asked for no longer than a second and a half, and its answer is kept for half a minute. It works where Slipway is called as slipway.',
  ],
  arguments: [{ name: 'SHELL', about: 'bash, zsh or fish', offers: ['bash', 'zsh', 'fish'] }],
  flags: {},
  examples: [
    { command: 'completion bash > ~/.local/share/bash-completion/completions/slipway', about: 'for bash', isSilent: true },
    { command: 'completion zsh > ~/.zfunc/_slipway', about: 'for zsh, in a folder of fpath', isSilent: true },
    { command: 'completion fish > ~/.config/fish/completions/slipway.fish', about: 'for fish', isSilent: true },
  ],
  exits: { 0: 'done', 2: 'wrong command line' },
  wrongUse: 2,
  load: async () => (await import('../run/completion/print-script.ts')).runCompletion,
});
