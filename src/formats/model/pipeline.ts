// A pipeline: from the model that all formats share to the body that the API takes, with everything that is wrong with it.
import type { DefinedPipeline } from '../../contracts/plugins/config-repo.ts';
import type { Dict } from '../../kit/tree/tree.ts';
import type { Report } from '../report.ts';
import { hasIdleJobs } from '../version.ts';
import { EntityLocation } from './location.ts';
import { readMaterials } from './materials.ts';
import { Part } from './part.ts';
import { usesParameter } from './scalars.ts';
import { stageJson } from './stages.ts';
import { copyParameters, copyVariables } from './variables.ts';

const LOCK_BEHAVIORS = ['lockOnFailure', 'unlockWhenFinished', 'none'];
const UNORDERED = -1;

export function readPipeline(dict: Dict, report: Report): DefinedPipeline {
  const given = dict.members.get('name')?.value;
  const name = given?.kind === 'text' ? given.text : undefined;
  const location = EntityLocation.entity(report, 'Pipeline', name);
  const part = new Part(dict, location);
  part.need('name', 'group');
  const body = part.begin();
  part.copyText('label_template');
  copyLock(part);
  part.copyText('name');
  if (part.text('template')) part.copyText('template');
  part.copyText('group');
  copyParameters(part);
  copyVariables(part);
  readMaterials(part);
  copyStages(part);
  copyTrackingTool(part);
  copyTimer(part);
  const displayOrder = part.number('display_order_weight') ?? UNORDERED;
  for (const member of ['format_version', 'mingle']) part.member(member);
  part.done();
  const group = part.text('group') ?? '';
  return {
    name: name ?? '',
    group,
    file: report.file,
    ...report.position(dict.at),
    body,
    displayOrder,
    hasIdleJobs: hasIdleJobs(body),
    positions: location.body.positions(report),
  };
}

/** Before version 2 there was only a switch. */
function copyLock(part: Part): void {
  const { body } = part.location;
  const isLocking = part.flag('enable_pipeline_locking');
  const behavior = part.text('lock_behavior');
  if (behavior !== undefined) {
    part.copyText('lock_behavior');
    if (LOCK_BEHAVIORS.includes(behavior) || usesParameter(behavior)) return;
    const message = `Lock behavior has an invalid value (${behavior}). Valid values are: [${LOCK_BEHAVIORS.join(', ')}]`;
    part.location.problem(part.offsetOf('lock_behavior'), message, 'Letter case counts.');
  } else if (isLocking !== undefined) {
    part.out.lock_behavior = body.value(part.offsetOf('enable_pipeline_locking'), isLocking ? 'lockOnFailure' : 'none');
  }
}

function copyStages(part: Part): void {
  const { location } = part;
  const hasStages = (part.items('stages') ?? []).length > 0;
  if (part.text('template')) {
    if (hasStages)
      location.problem(part.offsetOf('template'), 'Pipeline has to either define stages or template. Not both.', 'Remove one.');
    return;
  }
  if (!hasStages) {
    location.problem(
      part.offsetOf('stages'),
      'Pipeline has to define stages or template.',
      'Add stages, or name a template of the server.',
    );
    location.problem(part.offsetOf('stages'), 'Pipeline has no stages.');
  }
  const names = new Set<string>();
  part.copyParts('stages', (stage) => {
    const name = stage.shown('name');
    if (name !== undefined && names.size === names.add(name).size) {
      location.problem(stage.offsetOf('name'), `Stage named ${name} is defined more than once`, 'Rename one of them.');
    }
    return stageJson(stage);
  });
}

function copyTrackingTool(pipeline: Part): void {
  const part = pipeline.part('tracking_tool')?.enter(() => 'Tracking tool');
  if (!part) return;
  part.need('link', 'regex');
  const { body } = part.location;
  const tool = (pipeline.out.tracking_tool = body.object(part.at));
  tool.type = body.value(part.at, 'generic');
  tool.attributes = part.begin();
  part.copyText('link', 'url_pattern');
  part.copyText('regex');
  part.done();
}

function copyTimer(pipeline: Part): void {
  const part = pipeline.part('timer')?.enter(() => 'Timer');
  if (!part) return;
  part.need('spec');
  pipeline.out.timer = part.begin();
  part.copyText('spec');
  part.copyFlags('only_on_changes');
  part.done();
}
