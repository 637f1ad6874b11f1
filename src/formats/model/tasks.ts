// The tasks of a job, and the task that runs when one is cancelled.
import type { Json } from '../../shape/json/json.ts';
import { knownType } from './known-type.ts';
import type { LabelSource, Part } from './part.ts';
import { copyPluginTask, pluginTaskType } from './plugin-tasks.ts';
import { usesParameter, wrongKind } from './scalars.ts';
import { copyProperties } from './variables.ts';

interface TaskType {
  readonly label: (part: LabelSource) => string;
  readonly needs: readonly string[];
  /** Its type in the API, where that is another. */
  readonly typeOf?: (part: Part) => string;
  readonly copy: (part: Part) => void;
}

const STATES: readonly string[] = ['passed', 'failed', 'any'];

const TYPES: Readonly<Record<string, TaskType>> = {
  exec: {
    label: (part) => `exec task (${part.shown('command') ?? 'unknown'})`,
    needs: ['command'],
    copy: (part) => {
      part.copyText('command');
      part.copyListOfTexts('arguments');
      part.copyTexts('args', 'working_directory');
      copyTimeout(part);
    },
  },
  ant: buildTool('ant'),
  nant: buildTool('nant', 'nant_path'),
  rake: buildTool('rake'),
  fetch: {
    label: (part) => `fetch artifacts task from ${['pipeline', 'stage', 'job'].map((name) => part.shown(name) ?? 'unknown').join(' ')}`,
    needs: ['stage', 'job'],
    copy: copyFetch,
  },
  plugin: { label: () => 'pluggable task', needs: ['plugin_configuration'], typeOf: pluginTaskType, copy: copyPluginTask },
};

export function taskJson(part: Part): Json | undefined {
  return anyTask(part, copyConditions);
}

/** It runs in every state of the job. */
function cancelTaskJson(part: Part): Json | undefined {
  return anyTask(part, () => {
    part.member('run_if');
    copyCancelTask(part);
  });
}

function anyTask(part: Part, copyCommon: (part: Part) => void): Json | undefined {
  const type = knownType(part, TYPES, (given) => `Invalid or unknown task type '${given}'.`);
  if (!type) return undefined;
  part.enter(type.label);
  part.need(...type.needs);
  const { body } = part.location;
  const task = body.object(part.at);
  task.type = body.value(part.offsetOf('type'), type.typeOf?.(part) ?? part.text('type')!);
  task.attributes = part.begin();
  copyCommon(part);
  type.copy(part);
  part.done();
  return task;
}

function copyConditions(part: Part): void {
  copyRunIf(part);
  copyCancelTask(part);
  part.copyFlags('nothing_on_cancel');
}

function copyCancelTask(part: Part): void {
  const task = part.part('on_cancel');
  const json = task && cancelTaskJson(task);
  if (json !== undefined) part.out.on_cancel = json;
}

/** Exports of GoCD write -1 where there is none; 0 says the same. */
function copyTimeout(part: Part): void {
  const given = part.number('timeout');
  if (given !== undefined && given !== 0 && given !== -1) part.out.timeout = part.location.body.value(part.offsetOf('timeout'), given);
}

/** One state in most files; the API knows several. */
function copyRunIf(part: Part): void {
  const given = part.member('run_if');
  if (!given) return;
  if (given.kind === 'dict') {
    part.location.problem(given.at, wrongKind('run_if', 'a text', given));
    return;
  }
  const { body } = part.location;
  part.out.run_if = body.list(given.at, given.kind === 'list' ? given.items : [given], (item) => {
    const state = item?.kind === 'text' ? item.text.toLowerCase() : '';
    const at = item?.at ?? given.at;
    if (STATES.includes(state)) return body.value(at, state);
    part.location.warning(at, `Unknown run_if '${state}' is taken for passed.`, `It has to be one of ${STATES.join(', ')}.`);
    return body.value(at, 'passed');
  });
}

function buildTool(name: string, ...more: readonly string[]): TaskType {
  return {
    label: () => `${name} build task`,
    needs: [],
    copy: (part) => part.copyTexts('build_file', 'target', 'working_directory', ...more),
  };
}

function copyFetch(part: Part): void {
  const origin = part.text('artifact_origin')?.toLowerCase() ?? 'gocd';
  if (origin !== 'gocd' && origin !== 'external' && !usesParameter(origin)) {
    const message = `Invalid artifact origin '${origin}' for fetch task.`;
    part.location.problem(part.offsetOf('artifact_origin'), message, 'It has to be gocd, for artifacts of this server, or external.');
  } else part.need(origin === 'external' ? 'artifact_id' : 'source');
  part.copyTexts('artifact_origin', 'pipeline', 'stage', 'job');
  part.copyFlags('is_source_a_file');
  part.copyTexts('source', 'destination', 'artifact_id');
  copyProperties(part, (key) => `Duplicate Configuration property ${key}`);
}
