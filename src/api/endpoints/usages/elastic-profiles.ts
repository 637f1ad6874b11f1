// Which jobs use an elastic agent profile.
import { Draft } from '../../../config/draft.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { Collection, Kind } from '../../../shape/resource.ts';
import { exampleId, exampleOf } from '../../engine/answer-example.ts';
import { fromConfig } from '../../engine/at-time.ts';
import { guardsOf } from '../../engine/guards.ts';
import { memberFailures } from '../../engine/resource-failures.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';

export interface ProfileUsage {
  readonly pipeline: string;
  readonly template: string | undefined;
  readonly stage: string;
  readonly job: string;
  readonly isRemote: boolean;
}

export type ProfileUsagesIn = (draft: Draft, id: string) => readonly ProfileUsage[];

export function profileUsagesRoute(profiles: Kind & Collection, parts: ResourceParts, usagesIn: ProfileUsagesIn): Route {
  const route = {
    method: 'GET',
    path: '/api/internal/elastic/profiles/:id/usages',
    version: 1,
    permission: profiles.permission,
    guard: guardsOf(profiles, parts.config).view!,
    description: {
      chapter: profiles.doc,
      summary: 'Which jobs use an elastic agent profile',
      parameters: { id: { description: 'The `id` of the elastic agent profile.', example: exampleId(profiles) } },
      response: { type: 'array', items: SCHEMA },
      example: [usageJson({ pipeline: 'nightly', template: undefined, stage: 'build', job: 'compile', isRemote: false })],
      failures: memberFailures(profiles, () => exampleOf(profiles, parts)).show,
    },
  } as const;
  return fromConfig(route, parts, [profiles.name, 'pipelines', 'templates'], (config, { params: { id = '' } }) => {
    mustExist(profiles, id, config.of(profiles.name).find(id));
    return jsonAnswer(usagesIn(new Draft(config), id).map(usageJson));
  });
}

const SCHEMA = objectSchema(
  {
    pipeline_name: described(TEXT, 'The pipeline, or the template, with the job.'),
    stage_name: described(TEXT, 'Its stage.'),
    job_name: described(TEXT, 'The job that uses the profile.'),
    pipeline_config_origin: { enum: ['gocd', 'config_repo'], description: 'Where the pipeline is defined.' },
  },
  { title: 'Usage of an elastic agent profile', others: { template_name: { ...TEXT, description: 'The template of the pipeline.' } } },
);

function usageJson({ pipeline, template, stage, job, isRemote }: ProfileUsage): JsonOut {
  return {
    pipeline_name: pipeline,
    stage_name: stage,
    job_name: job,
    ...(template !== undefined && { template_name: template }),
    pipeline_config_origin: isRemote ? 'config_repo' : 'gocd',
  };
}
