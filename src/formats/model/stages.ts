// Stages, with the users and roles that may approve them.
import type { Json } from '../../shape/json/json.ts';
import { jobJson } from './jobs.ts';
import type { Part } from './part.ts';
import { copyVariables } from './variables.ts';

export function stageJson(part: Part): Json {
  part.enter((stage) => `Stage (${stage.shown('name') ?? 'unknown'})`);
  part.need('name');
  const stage = part.begin();
  part.copyText('name');
  part.copyFlags('fetch_materials', 'clean_working_directory', 'never_cleanup_artifacts');
  copyApproval(part);
  copyVariables(part);
  copyJobs(part);
  part.done();
  return stage;
}

function copyJobs(stage: Part): void {
  if ((stage.items('jobs') ?? []).length === 0) {
    stage.location.problem(stage.offsetOf('jobs'), 'Stage has no jobs', 'Add at least one job.');
  }
  const names = new Set<string>();
  stage.copyParts('jobs', (job) => {
    const name = job.shown('name');
    if (name !== undefined && names.size === names.add(name).size) {
      stage.location.problem(job.offsetOf('name'), `Job ${name} is defined more than once`, 'Rename one of them.');
    }
    return jobJson(job);
  });
}

/** The API has the approvers in an object of their own. */
function copyApproval(stage: Part): void {
  const part = stage.part('approval')?.enter(() => 'Approval');
  if (!part) return;
  part.need('type');
  const approval = (stage.out.approval = part.begin());
  part.copyText('type');
  part.copyFlags('allow_only_on_success');
  approval.authorization = part.begin();
  part.copyListOfTexts('users');
  part.copyListOfTexts('roles');
  part.done();
}
