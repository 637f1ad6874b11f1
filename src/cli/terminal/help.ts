// The help of the command line as text.
import { COMMAND as CALL, START } from '../../kit/process/own-commands.ts';
import { type Argument, type Code, type Command, type Example, type Flag, GROUPS } from './command.ts';
import { NO_COLOR_FLAG } from './parse.ts';

const NO_COLOR_TEXT = 'no colours, at a terminal too (NO_COLOR)';
const FIRST_STEPS: readonly Example[] = [
  { command: 'login https://cd.example.org', about: 'log in; other commands then know the server' },
  { command: 'list', about: 'what can be configured' },
  { command: 'edit environment staging', about: 'change something in your editor' },
  { command: 'run up42 --follow', about: 'run a pipeline, and see what it prints' },
];
const MAX_COLUMNS = 100;
const INDENT = 2;

/** All commands, or those whose names begin with the same word. */
export function overview(commands: readonly Command[], columns?: number): string {
  const isOfAll = new Set(commands.map(({ group }) => group)).size > 1;
  const left = Math.max(...commands.map((one) => callOf(one).length));
  const groups = GROUPS.flatMap((group) => {
    const rows = commands.filter((one) => one.group === group).map((one) => [callOf(one).padEnd(left), one.summary] as const);
    return rows.length === 0 ? [] : [`${group}\n${table(rows, columns)}`];
  });
  return [
    `Usage: ${CALL} COMMAND [options]\n       ${START} [options], which starts the server\n`,
    ...groups,
    ...(isOfAll ? [`Begin with\n${exampleLines(FIRST_STEPS)}`] : []),
    `Options\n${table(
      [
        ['--help'.padEnd(left), 'this text; after a command: the help of that command'],
        ['--version'.padEnd(left), 'the version of Slipway'],
        [NO_COLOR_FLAG.padEnd(left), NO_COLOR_TEXT],
      ],
      columns,
    )}`,
  ].join('\n');
}

export function helpOf(command: Command, columns?: number): string {
  const { summary, details = [], arguments: args = [], flags, examples, exits } = command;
  const options = [
    ...Object.entries(flags).map(([name, flag]) => [flagCall(name, flag), flagText(flag)] as const),
    [NO_COLOR_FLAG, NO_COLOR_TEXT] as const,
    ['--help', 'this text'] as const,
  ];
  const sections = [
    `Usage: ${CALL} ${callOf(command)} [options]\n`,
    ...[sentence(summary), ...details].map((part) => `${paragraph(part, columns)}\n`),
    ...(args.length === 0 ? [] : [`Arguments\n${table(argumentRows(args), columns)}`]),
    `Options\n${table(options, columns)}`,
    `Examples\n${exampleLines(examples)}`,
    `Exit codes\n${table(Object.entries(exits), columns)}`,
  ];
  return sections.join('\n');
}

export function seeHelp(command: Command | undefined): string {
  return `See: ${CALL} ${command === undefined ? '' : `${command.name} `}--help`;
}

/** The name of a command with its arguments. */
export function callOf({ name, arguments: args = [] }: Command): string {
  return [name, ...args.map(argumentCall)].join(' ');
}

export function argumentRows(args: readonly Argument[]): readonly (readonly [string, string])[] {
  return args.map((one) => [one.name, one.about]);
}

function argumentCall({ name, isOptional, isRepeated }: Argument): string {
  const whole = isRepeated ? `${name}…` : name;
  return isOptional ? `[${whole}]` : whole;
}

export function flagCall(name: string, { value, short }: Flag): string {
  const call = value === undefined ? `--${name}` : `--${name} ${value}`;
  return short === undefined ? call : `-${short}, ${call}`;
}

export function flagText({ about, variable, absent, isRepeated }: Flag): string {
  const more = [
    ...(isRepeated ? ['may be repeated'] : []),
    ...(variable === undefined ? [] : [variable]),
    ...(absent === undefined ? [] : [`default: ${absent}`]),
  ];
  return more.length === 0 ? about : `${about} (${more.join(', ')})`;
}

export function exampleCall({ command, isSilent }: Example): string {
  return `${isSilent ? CALL.replace('run', 'run --silent') : CALL} ${command}`;
}

function exampleLines(examples: readonly Example[]): string {
  return examples.map((one) => `  # ${one.about}\n  ${exampleCall(one)}\n`).join('');
}

export function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function paragraph(part: string | Code, columns?: number): string {
  if (typeof part === 'string') return wrapped(part, widthOf(columns)).join('\n');
  return part.code.replaceAll(/^/gm, ' '.repeat(INDENT));
}

function widthOf(columns = MAX_COLUMNS): number {
  return Math.min(columns, MAX_COLUMNS);
}

/** Two columns, the second one wrapped. */
function table(rows: readonly (readonly [string, string])[], columns?: number): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + INDENT;
  const room = Math.max(20, widthOf(columns) - left - INDENT);
  return rows
    .flatMap(([name, text]) =>
      wrapped(text, room).map((line, index) => `${' '.repeat(INDENT)}${(index === 0 ? name : '').padEnd(left)}${line}\n`),
    )
    .join('');
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
