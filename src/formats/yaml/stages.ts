// Stages in YAML: a list of maps with one key, the name. A stage with tasks of its own is also its only job.
import { closest } from '../../kit/text/closest.ts';
import { type Dict, dict, list, type Tree, text } from '../../kit/tree/tree.ts';
import {
  Builder,
  type Diagnostics,
  dictUnder,
  FormProblem,
  flagUnder,
  listUnder,
  neededText,
  onlyMember,
  translateEach,
  under,
  warnOfUnknownKeys,
} from './forms.ts';
import { JOB_KEYS, jobModel } from './jobs.ts';
import { variables } from './pairs.ts';

const OWN_KEYS = ['fetch_materials', 'keep_artifacts', 'clean_workspace', 'approval', 'environment_variables', 'secure_variables', 'jobs'];
const STAGE_KEYS = new Set(OWN_KEYS);
const SINGLE_JOB_KEYS = new Set([...OWN_KEYS, ...JOB_KEYS]);
const APPROVAL_KEYS = new Set(['type', 'allow_only_on_success', 'users', 'roles']);
const KEYS_OF_JOB = new Set(JOB_KEYS);
const NO_JOBS = 'Stage must have jobs defined, or tasks if only one job should exist';

export function stagesModel(pipeline: Dict, diagnostics: Diagnostics): Tree {
  const stages = under(pipeline, 'stages');
  if (stages?.kind !== 'list') {
    const meant = closest('stages', pipeline.members.keys());
    const hint = meant && !stages ? `Did you mean stages by ${meant}?` : 'Write each stage after a dash, as a map of its name.';
    throw new FormProblem(stages?.at ?? pipeline.at, 'expected a list of pipeline stages or a template reference', hint);
  }
  // A list in the list comes from an alias.
  const entries = stages.items.flatMap((item) => (item?.kind === 'list' ? item.items : [item]));
  return list(
    stages.at,
    translateEach(stages.at, entries, diagnostics, (entry) => stageModel(entry, stages.at, diagnostics)),
  );
}

function stageModel(entry: Tree | null, at: number, diagnostics: Diagnostics): Dict {
  const only = entry?.kind === 'dict' ? onlyMember(entry, diagnostics) : undefined;
  if (!only)
    throw new FormProblem(entry?.at ?? at, 'expected stage to be a hash', 'Write the name of the stage as the only key of the entry.');
  const [name, { at: nameAt, value }] = only;
  if (value?.kind !== 'dict') {
    const isSplit = entry?.kind === 'dict' && entry.members.size > 1;
    const hint = isSplit ? `What belongs to the stage ${name} has to be indented more than its name.` : undefined;
    throw new FormProblem(value?.at ?? nameAt, NO_JOBS, hint);
  }
  return new Builder(nameAt)
    .put('name', text(nameAt, name))
    .try('fetch_materials', diagnostics, () => flagUnder(value, 'fetch_materials'))
    .try('never_cleanup_artifacts', diagnostics, () => flagUnder(value, 'keep_artifacts'))
    .try('clean_working_directory', diagnostics, () => flagUnder(value, 'clean_workspace'))
    .try('approval', diagnostics, () => approval(value, diagnostics))
    .try('environment_variables', diagnostics, () => variables(value))
    .try('jobs', diagnostics, () => jobs(name, nameAt, value, diagnostics))
    .built();
}

function jobs(stage: string, at: number, given: Dict, diagnostics: Diagnostics): Tree {
  const own = dictUnder(given, 'jobs');
  if (!own) {
    if (!under(given, 'tasks')) {
      const [meant, key] = ['jobs', 'tasks'].map((word) => [word, closest(word, given.members.keys())]).find(([, found]) => found) ?? [];
      throw new FormProblem(at, NO_JOBS, key && `Did you mean ${meant} by ${key}?`);
    }
    warnOfUnknownKeys(given, SINGLE_JOB_KEYS, diagnostics);
    return list(at, [jobModel(stage, at, given, diagnostics)]);
  }
  warnOfUnknownKeys(given, STAGE_KEYS, diagnostics);
  return list(
    own.at,
    translateEach(own.at, own.members, diagnostics, ([name, { at: nameAt, value }]) => {
      const job = value ?? dict(nameAt, new Map());
      if (job.kind !== 'dict') throw new FormProblem(job.at, `expected job ${name} to be a hash`);
      warnOfUnknownKeys(job, KEYS_OF_JOB, diagnostics);
      return jobModel(name, nameAt, job, diagnostics);
    }),
  );
}

function approval(stage: Dict, diagnostics: Diagnostics): Tree | undefined {
  const given = under(stage, 'approval');
  if (!given) return undefined;
  if (given.kind === 'dict') {
    warnOfUnknownKeys(given, APPROVAL_KEYS, diagnostics);
    return new Builder(given.at)
      .put('type', neededText(given, 'type'))
      .put('allow_only_on_success', flagUnder(given, 'allow_only_on_success'))
      .put('users', listUnder(given, 'users'))
      .put('roles', listUnder(given, 'roles'))
      .built();
  }
  const word = given.kind === 'text' ? given.text.toLowerCase() : '';
  if (word !== 'manual' && word !== 'success' && word !== 'auto') {
    throw new FormProblem(given.at, 'Approval should be a hash or string [auto or manual]');
  }
  return new Builder(given.at).put('type', text(given.at, word === 'auto' ? 'success' : word)).built();
}
