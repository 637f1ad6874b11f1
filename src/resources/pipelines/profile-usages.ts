// The jobs that run on agents of an elastic agent profile.
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import type { Lookup, ReferrersView } from '../../shape/resource.ts';
import { jobsIn } from '../parts/jobs-naming.ts';

interface View extends ReferrersView {
  readonly pipelines: Lookup<EntityNamed<'pipelines'>>;
  readonly templates: Lookup<EntityNamed<'templates'>>;
}

interface ProfileUsage {
  readonly pipeline: string;
  /** The template whose stages the pipeline takes. */
  readonly template: string | undefined;
  readonly stage: string;
  readonly job: string;
  readonly isRemote: boolean;
}

const PIPELINES = 'pipelines';
const TEMPLATES = 'templates';

export function profileUsages({ ruleView }: { readonly ruleView: View }, id: string): ProfileUsage[] {
  const { pipelines, templates, referrers } = ruleView;
  const users = (kind: KindName, name: string) => [...referrers(kind, name)];
  // A profile in a template is used by the pipelines of the template, too.
  const all = users('elasticProfiles', id).flatMap((user) => (user.kind === TEMPLATES ? [user, ...users(TEMPLATES, user.id)] : [user]));
  const names = new Set(all.flatMap((user) => (user.kind === PIPELINES ? [user.id] : [])));
  return [...names].flatMap((name) => {
    const pipeline = pipelines.get(name);
    if (!pipeline) return [];
    const template = pipeline.template ? templates.get(pipeline.template) : undefined;
    const common = { pipeline: name, template: template?.name, isRemote: (pipeline.origin ?? null) !== null };
    return jobsIn(pipeline, template, 'elasticProfileId', id).map((job) => ({ ...common, ...job }));
  });
}
