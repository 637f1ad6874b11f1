// The tasks of a job as an agent gets them, as far as they can be run here.
import type { CancelTask, RunIf, WorkTask } from '../../../../contracts/agent-protocol/work.ts';
import type { TaskAnswer } from './answers.ts';

/** A task, or the sentence that says why it is skipped. */
export type LocalTask = { readonly task: WorkTask } | { readonly skipped: string; readonly runIf: readonly RunIf[] };

/** The plugin whose tasks scripts in pipeline files become on other servers. */
const SCRIPT_PLUGIN = 'script-executor';

export function localTask(answer: TaskAnswer): LocalTask {
  const runIf = (answer.attributes.run_if ?? []).filter(isRunIf);
  const task = runnable(answer);
  return typeof task === 'string' ? { skipped: task, runIf } : { task: { ...task, run_if: runIf, on_cancel: onCancel(answer) } };
}

function isRunIf(condition: string): condition is RunIf {
  return condition === 'passed' || condition === 'failed' || condition === 'any';
}

/** Instead of a task that cannot be run here the default applies: the processes are ended. */
function onCancel({ attributes: { on_cancel: written, nothing_on_cancel: isNothing } }: TaskAnswer): WorkTask['on_cancel'] {
  if (!written) return isNothing ? { type: 'none' } : null;
  if (!('attributes' in written)) return { type: 'none' };
  const task = runnable(written);
  return typeof task === 'string' ? null : task;
}

function runnable({ type, attributes }: TaskAnswer): CancelTask | string {
  const workingDirectory = attributes.working_directory || null;
  const buildTool = { build_file: attributes.build_file || null, target: attributes.target || null, working_directory: workingDirectory };
  switch (type) {
    case 'exec':
      return {
        type,
        command: attributes.command ?? '',
        arguments: attributes.args ?? attributes.arguments ?? [],
        working_directory: workingDirectory,
      };
    case 'ant':
    case 'rake':
      return { type, ...buildTool };
    case 'nant':
      return { type, ...buildTool, nant_path: attributes.nant_path || null };
    case 'script':
      return { type, script: attributes.script ?? '', shell: attributes.shell || null, working_directory: workingDirectory };
    case 'fetch': {
      const from = [attributes.pipeline, attributes.stage, attributes.job].filter(Boolean).join('/');
      return `artifacts of ${from} are not fetched${attributes.source ? `: ${attributes.source}` : ''}. Put them here if they are needed.`;
    }
    default:
      return pluginTask(attributes);
  }
}

function pluginTask({ plugin_configuration: plugin, configuration = [] }: TaskAnswer['attributes']): CancelTask | string {
  const setting = (...keys: readonly string[]) => configuration.find(({ key }) => keys.includes(key.toLowerCase()))?.value || null;
  const script = plugin?.id === SCRIPT_PLUGIN ? setting('script') : null;
  if (script === null) return `a task of the plugin ${plugin?.id ?? ''} cannot be run here.`;
  return { type: 'script', script, shell: setting('shell', 'shtype'), working_directory: setting('workingdirectory', 'working_directory') };
}
