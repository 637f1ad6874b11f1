// Writes docs/command-line.md from the declarations of the commands. A test says when the file is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../src/cli/commands.ts';
import { type Code, type Command, GROUPS } from '../src/cli/terminal/command.ts';
import { argumentRows, callOf, exampleCall, flagCall, flagText, sentence } from '../src/cli/terminal/help.ts';
import { COMMAND as CALL } from '../src/kit/process/own-commands.ts';

export const PAGE = join(import.meta.dirname, '..', 'docs', 'command-line.md');

const INTRODUCTION = `# The command line

\`\`\`sh
${CALL} COMMAND [options]
${CALL} --help             # all commands
${CALL} COMMAND --help     # one command
${CALL} --version
\`\`\`

- npm prints some lines of its own before the output. Where a program reads the output, use \`npm run --silent slipway --\`.
- Relative paths begin in the folder where npm was called. From another folder: \`npm --prefix /path/to/slipway run slipway -- …\`.
- Commands that talk to a running server find it in the current context, which [\`login\`](#login) has kept. Options (\`--context\`, or \`--url\` with a login) win over variables (\`SLIPWAY_CONTEXT\`, or \`SLIPWAY_URL\` with \`SLIPWAY_TOKEN\`, or \`SLIPWAY_USER\` and \`SLIPWAY_PASSWORD\`), and variables over the current context. At a terminal a missing password is asked for.
- Errors and progress are written to standard error, and the exit code reports errors. In pipes there are no colours and no bars, and tables are not cut.
- [A worked example](guides/command-line.md): log in, look around, edit, apply, follow a run, take a change back.

This page is made from the same declarations as the help: \`node tools/command-line-page.ts\`.
`;

export function commandLinePage(): string {
  const groups = GROUPS.map((group) => {
    const commands = COMMANDS.filter((one) => one.group === group);
    return `## ${group}\n\n${commands.map(commandText).join('\n')}`;
  });
  return [INTRODUCTION, contents(), ...groups].join('\n');
}

function contents(): string {
  const rows = COMMANDS.map((one) => [`[\`${callOf(one)}\`](#${one.name.replaceAll(' ', '-')})`, one.summary] as const);
  return table(['Command', 'What it does'], rows);
}

function commandText(command: Command): string {
  const { name, summary, details = [], arguments: args = [], flags, examples, exits } = command;
  const options = Object.entries(flags).map(([flag, declared]) => [`\`${flagCall(flag, declared)}\``, flagText(declared)] as const);
  return [
    `### ${name}\n`,
    ...[sentence(summary), ...details].map((part) => `${paragraph(part)}\n`),
    `\`\`\`sh\n${CALL} ${callOf(command)} [options]\n\n${examples.map((one) => `# ${one.about}\n${exampleCall(one)}\n`).join('')}\`\`\`\n`,
    ...(args.length === 0
      ? []
      : [
          table(
            ['Argument', 'What it is'],
            argumentRows(args).map(([one, about]) => [`\`${one}\``, about]),
          ),
        ]),
    ...(options.length === 0 ? [] : [table(['Option', 'What it does'], options)]),
    table(
      ['Exit code', 'Meaning'],
      Object.entries(exits).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  ].join('\n');
}

function paragraph(part: string | Code): string {
  return typeof part === 'string' ? part : `\`\`\`yaml\n${part.code}\n\`\`\``;
}

function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  const escaped = rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = [0, 1].map((column) => Math.max(...[head, ...escaped].map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...escaped.map(line)].join('');
}

if (import.meta.main) writeFileSync(PAGE, commandLinePage());
