// Stages: jobs that run side by side, one stage after the other.
import { describedBy } from '../../shape/described.ts';
import type { EntityOf, Field } from '../../shape/field.ts';
import { checkedText, flag, group, listOf } from '../../shape/fields.ts';
import { readText } from '../../shape/json/reading.ts';
import { namedItems } from '../../shape/named-items.ts';
import { environmentVariables } from '../parts/environment-variables.ts';
import { members } from '../parts/members.ts';
import { instanceMarker } from './job-instances.ts';
import { jobs } from './jobs.ts';

const approvalType: Field<string> = {
  read: (cursor, name) => readText(cursor, name) ?? 'success',
  write: (value, name, out) => {
    out[name] = value;
  },
  describe: (name) => {
    const choices = { success: 'After the stage before it', manual: 'By hand' };
    const description = '`success`: by itself after the previous stage; `manual`: by a user.';
    const schema = { enum: Object.keys(choices), default: 'success', ...describedBy({ label: 'Starts', choices, description }) };
    return { request: { [name]: schema }, response: { [name]: schema } };
  },
};

const stageFields = {
  name: checkedText({ description: 'Unique in the pipeline, case-insensitive.' }),
  fetchMaterials: flag(true, { description: 'Whether to check out the materials.' }),
  cleanWorkingDirectory: flag(false, { description: 'Whether to delete what earlier runs left behind.' }),
  neverCleanupArtifacts: flag(false, { description: 'Whether to keep the artifacts even when disk space is low.' }),
  approval: group(
    {
      type: approvalType,
      allowOnlyOnSuccess: flag(false, { description: 'Whether the previous stage must have passed.' }),
      authorization: members('Who may start the stage by hand. No user or role named: all users who may operate the pipeline.'),
    },
    { description: 'How the stage is started.' },
  ),
  environmentVariables: environmentVariables(),
  jobs,
};

export type Stage = EntityOf<typeof stageFields>;

export const stages: Field<readonly Stage[]> = namedItems(listOf(stageFields, { description: 'In the order in which they run.' }), 'Stage');

/** The parts that other pipelines can refer to: stages, their jobs, and the external artifacts of those with their stores. */
export function visibleStages(of: readonly Stage[]): unknown {
  return of.map(({ name, jobs: inStage }) => [
    name,
    inStage.map((job) => [
      job.name,
      instanceMarker(job),
      job.artifacts.flatMap((artifact) =>
        artifact.type === 'external' ? [artifact.attributes.artifactId, artifact.attributes.storeId] : [],
      ),
    ]),
  ]);
}
