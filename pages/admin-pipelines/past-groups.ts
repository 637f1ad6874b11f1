// Groups and their pipelines as they were. The list of now also knows templates and config repos, which groups do not contain.
import type { PipelineName } from '../api/pipeline-names.ts';

export interface PastGroups {
  readonly _embedded: {
    readonly groups: readonly { readonly name: string; readonly pipelines: readonly { readonly name: string }[] }[];
  };
}

export function pastGroups({ _embedded: { groups } }: PastGroups): readonly string[] {
  return groups.map(({ name }) => name);
}

export function pastPipelines({ _embedded: { groups } }: PastGroups): readonly PipelineName[] {
  return groups.flatMap(({ name: group, pipelines }) =>
    pipelines.map(({ name }) => ({ name, group, origin: null, template: null, canAdminister: true, canOperate: false, canPause: false })),
  );
}
