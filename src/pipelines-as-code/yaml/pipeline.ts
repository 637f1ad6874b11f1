// A pipeline or an environment in YAML, as the model has it.
import { type Dict, dict, type Tree, text } from '../../kit/tree/tree.ts';
import {
  Builder,
  dictUnder,
  flagUnder,
  listUnder,
  neededText,
  pairs,
  textUnder,
  Untranslatable,
  variables,
  type Warn,
  warnOfOthers,
} from './forms.ts';
import { materialsModel } from './materials.ts';
import { stagesModel } from './stages.ts';

const PIPELINE_KEYS = new Set([
  ...['group', 'display_order', 'label_template', 'lock_behavior', 'locking', 'tracking_tool', 'timer', 'parameters'],
  ...['environment_variables', 'secure_variables', 'materials', 'template', 'stages', 'mingle'],
]);
const ENVIRONMENT_KEYS = new Set(['environment_variables', 'secure_variables', 'pipelines', 'agents']);

/** Undefined is whatever is not there. */
export function pipelineModel(name: string, at: number, value: Tree | null, warn: Warn): Dict {
  const given = value ?? dict(at, new Map());
  if (given.kind !== 'dict') throw new Untranslatable(given.at, 'expected a hash of pipeline materials', 'Write the pipeline as a map.');
  warnOfOthers(given, PIPELINE_KEYS, warn);
  const template = textUnder(given, 'template');
  return new Builder(at)
    .put('name', text(at, name))
    .put('group', textUnder(given, 'group'))
    .put('display_order_weight', textUnder(given, 'display_order'))
    .put('label_template', textUnder(given, 'label_template'))
    .put('lock_behavior', textUnder(given, 'lock_behavior'))
    .put('enable_pipeline_locking', flagUnder(given, 'locking'))
    .put('tracking_tool', dictUnder(given, 'tracking_tool'))
    .put('timer', timer(given))
    .put('parameters', pairs(given, 'parameters', 'name', 'value'))
    .put('environment_variables', variables(given))
    .put('materials', materialsModel(given, warn))
    .put('template', template)
    .put('stages', template ? undefined : stagesModel(given, warn))
    .built();
}

function timer(pipeline: Dict): Tree | undefined {
  const given = dictUnder(pipeline, 'timer');
  if (!given) return undefined;
  return new Builder(given.at).put('spec', neededText(given, 'spec')).put('only_on_changes', flagUnder(given, 'only_on_changes')).built();
}

export function environmentModel(name: string, at: number, value: Tree | null, warn: Warn): Dict {
  const given = value ?? dict(at, new Map());
  if (given.kind !== 'dict') throw new Untranslatable(given.at, 'Expected environment to be a hash');
  warnOfOthers(given, ENVIRONMENT_KEYS, warn);
  return new Builder(at)
    .put('name', text(at, name))
    .put('environment_variables', variables(given))
    .put('pipelines', listUnder(given, 'pipelines'))
    .put('agents', listUnder(given, 'agents'))
    .built();
}
