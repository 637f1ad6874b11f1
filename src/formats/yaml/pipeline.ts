// A pipeline or an environment in YAML, as the model has it.
import { type Dict, dict, type Tree, text } from '../../kit/tree/tree.ts';
import {
  Builder,
  type Diagnostics,
  dictUnder,
  FormProblem,
  flagUnder,
  listUnder,
  neededText,
  textUnder,
  warnOfUnknownKeys,
} from './forms.ts';
import { materialsModel } from './materials.ts';
import { pairs, variables } from './pairs.ts';
import { stagesModel } from './stages.ts';

const PIPELINE_KEYS = new Set([
  ...['group', 'display_order', 'label_template', 'lock_behavior', 'locking', 'tracking_tool', 'timer', 'parameters'],
  ...['environment_variables', 'secure_variables', 'materials', 'template', 'stages', 'mingle'],
]);
const TIMER_KEYS = new Set(['spec', 'only_on_changes']);
const ENVIRONMENT_KEYS = new Set(['environment_variables', 'secure_variables', 'pipelines', 'agents']);

/** Absent keys are left out of the model. */
export function pipelineModel(name: string, at: number, value: Tree | null, diagnostics: Diagnostics): Dict {
  const given = value ?? dict(at, new Map());
  if (given.kind !== 'dict') throw new FormProblem(given.at, 'expected a hash of pipeline materials', 'Write the pipeline as a map.');
  warnOfUnknownKeys(given, PIPELINE_KEYS, diagnostics);
  const template = diagnostics.tried(at, () => textUnder(given, 'template'));
  const stages = given.members.get('stages');
  if (template && stages)
    diagnostics.warn(
      stages.at,
      "Key 'stages' beside 'template' is ignored.",
      'The stages are those of the template: remove one of the two.',
    );
  return new Builder(at)
    .put('name', text(at, name))
    .try('group', diagnostics, () => textUnder(given, 'group'))
    .try('display_order_weight', diagnostics, () => textUnder(given, 'display_order'))
    .try('label_template', diagnostics, () => textUnder(given, 'label_template'))
    .try('lock_behavior', diagnostics, () => textUnder(given, 'lock_behavior'))
    .try('enable_pipeline_locking', diagnostics, () => flagUnder(given, 'locking'))
    .try('tracking_tool', diagnostics, () => dictUnder(given, 'tracking_tool'))
    .try('timer', diagnostics, () => timer(given, diagnostics))
    .try('parameters', diagnostics, () => pairs(given, 'parameters', 'name', 'value'))
    .try('environment_variables', diagnostics, () => variables(given))
    .try('materials', diagnostics, () => materialsModel(given, diagnostics))
    .put('template', template)
    .try('stages', diagnostics, () => (template ? undefined : stagesModel(given, diagnostics)))
    .built();
}

function timer(pipeline: Dict, diagnostics: Diagnostics): Tree | undefined {
  const given = dictUnder(pipeline, 'timer');
  if (!given) return undefined;
  warnOfUnknownKeys(given, TIMER_KEYS, diagnostics);
  return new Builder(given.at).put('spec', neededText(given, 'spec')).put('only_on_changes', flagUnder(given, 'only_on_changes')).built();
}

export function environmentModel(name: string, at: number, value: Tree | null, diagnostics: Diagnostics): Dict {
  const given = value ?? dict(at, new Map());
  if (given.kind !== 'dict') throw new FormProblem(given.at, 'Expected environment to be a hash');
  warnOfUnknownKeys(given, ENVIRONMENT_KEYS, diagnostics);
  return new Builder(at)
    .put('name', text(at, name))
    .try('environment_variables', diagnostics, () => variables(given))
    .try('pipelines', diagnostics, () => listUnder(given, 'pipelines'))
    .try('agents', diagnostics, () => listUnder(given, 'agents'))
    .built();
}
