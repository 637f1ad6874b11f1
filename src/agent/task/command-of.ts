// The program that a task runs, with its arguments.
import type { CancelTask } from '../../contracts/agent-protocol/work.ts';
import { splitArguments } from './split-arguments.ts';

export interface TaskCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly workingDirectory: string | null;
  /** Output with these words means that it failed, even with exit code 0. */
  readonly failureText: string | undefined;
}

type CommandTask = Exclude<CancelTask, { readonly type: 'fetch' | 'fetch_external' | 'unsupported' }>;

const ANT_FAILED = 'BUILD FAILED';

export function commandOf(task: CommandTask, platform: NodeJS.Platform = process.platform): TaskCommand {
  const { program, args, failureText } = programOf(task, platform);
  // There, many commands are scripts that only the command processor finds.
  const isWrapped = platform === 'win32' && task.type !== 'script';
  return {
    program: isWrapped ? 'cmd' : program,
    arguments: isWrapped ? ['/s', '/c', program, ...args] : args,
    workingDirectory: task.working_directory || null,
    failureText,
  };
}

function programOf(
  task: CommandTask,
  platform: NodeJS.Platform,
): { readonly program: string; readonly args: readonly string[]; readonly failureText?: string } {
  switch (task.type) {
    case 'exec':
      return { program: task.command, args: typeof task.arguments === 'string' ? splitArguments(task.arguments) : task.arguments };
    case 'ant':
      return { program: 'ant', args: [...fileFlag('-f', task.build_file), ...targetsOf(task.target)], failureText: ANT_FAILED };
    case 'rake':
      return { program: 'rake', args: [...fileFlag('-f', task.build_file), ...targetsOf(task.target)] };
    case 'nant': {
      const file = task.build_file ? [`-buildfile:${task.build_file}`] : [];
      const program = task.nant_path ? `${task.nant_path.replace(/[/\\]+$/, '')}/nant` : 'nant';
      return { program, args: [...file, ...targetsOf(task.target)], failureText: ANT_FAILED };
    }
    case 'script': {
      const [program = platform === 'win32' ? 'cmd' : 'sh', ...args] = splitArguments(task.shell ?? '');
      return { program, args: [...args, /^cmd(?:\.exe)?$/i.test(program) ? '/c' : '-c', task.script] };
    }
    default:
      throw new UnknownTask(task);
  }
}

/** Only a server that is newer than this agent has one. */
export class UnknownTask extends Error {
  constructor(task: never) {
    const { type }: CancelTask = task;
    super(`This agent does not know tasks of the type ${type}: update the agent to the version of its server.`);
  }
}

function fileFlag(flag: string, file: string | null): readonly string[] {
  return file ? [flag, file] : [];
}

/** There may be several. */
function targetsOf(target: string | null): readonly string[] {
  return target ? splitArguments(target) : [];
}

/** One line for the console. */
export function describeTask(task: CancelTask): string {
  switch (task.type) {
    case 'exec':
      return [task.command, ...(typeof task.arguments === 'string' ? [task.arguments] : task.arguments.map(quoted))].join(' ').trim();
    case 'ant':
    case 'rake':
      return [task.type, ...(task.build_file ? [`-f "${task.build_file}"`] : []), ...(task.target ? [task.target] : [])].join(' ');
    case 'nant':
      return ['nant', ...(task.build_file ? [`-buildfile:"${task.build_file}"`] : []), ...(task.target ? [task.target] : [])].join(' ');
    case 'script':
      if (task.is_secret) return 'a secret script';
      return task.script.trim().includes('\n') ? `script:\n${task.script.trimEnd()}` : task.script.trim();
    case 'fetch': {
      const { pipeline, stage, job } = task.from;
      return `fetch artifact [${task.source}] => [${task.destination ?? ''}] from [${pipeline}/${stage}/${job}]`;
    }
    case 'fetch_external': {
      const { pipeline, stage, job } = task.from;
      return `fetch external artifact [${task.artifact}] from [${pipeline}/${stage}/${job}]`;
    }
    default:
      return 'a task that cannot be run';
  }
}

function quoted(word: string): string {
  return word === '' || /[\s"']/.test(word) ? JSON.stringify(word) : word;
}
