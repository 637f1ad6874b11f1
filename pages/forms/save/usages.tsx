// The usages of an entity of the configuration.
import { useEffect, useState } from 'preact/hooks';
import type { EntityName } from '../../api/change-answers.ts';
import { send } from '../../api/client.ts';
import { useMayEditPipeline } from '../../api/pipeline-groups.ts';
import { currentSession } from '../../api/session.ts';
import { entityText } from '../../kit/diff/change-text.ts';
import { EntityLink } from '../../kit/diff/changed-entities.tsx';
import { Link } from '../../kit/link.tsx';
import { pageOf } from '../../kit/routing.ts';
import { pageOfAny } from '../areas.ts';
import { useForms } from '../schema/forms.ts';

/** Some answers name only pipelines, some also the place in them, and some name entities of any kind. */
interface Usage {
  readonly resource?: string;
  readonly id?: string;
  readonly pipeline?: string;
  readonly pipeline_name?: string;
  readonly stage_name?: string;
  readonly job_name?: string;
  /** The template that the pipeline takes its stages from. */
  readonly template_name?: string;
}

type UsagesAnswer = { readonly usages: readonly Usage[] } | readonly Usage[];

/** undefined: not known yet, or the user may not read the usages. */
function useUsages(address: string): readonly Usage[] | undefined {
  const [used, setUsed] = useState<readonly Usage[]>();
  useEffect(() => {
    setUsed(undefined);
    // A user who may not read the usages sees them when the server refuses a deletion.
    send<UsagesAnswer>(address, {}).then(
      (answer) => setUsed(answer === undefined || !('usages' in answer) ? (answer ?? []) : answer.usages),
      () => undefined,
    );
  }, [address]);
  return used;
}

/** For a question whether to delete it. */
export function Usages({ address }: { readonly address: string }) {
  const used = useUsages(address);
  if (used === undefined || used.length === 0) return null;
  return (
    <div>
      <p>It is used by:</p>
      <UsageList used={used} />
    </div>
  );
}

/** On its own page. */
export function UsedBy({ address }: { readonly address: string }) {
  const used = useUsages(address);
  if (used === undefined) return null;
  return (
    <section aria-label="Used by">
      <h2>Used by</h2>
      {used.length === 0 ? <p class="quiet">Nothing uses it.</p> : <UsageList used={used} />}
    </section>
  );
}

function UsageList({ used }: { readonly used: readonly Usage[] }) {
  return (
    <ul>
      {used.map(({ resource, id = '', ...place }) =>
        resource === undefined ? (
          <PlaceInPipeline key={placeText(place)} {...place} />
        ) : (
          <li key={`${resource}\n${id}`}>
            <UsingEntity entity={{ resource, id }} />
          </li>
        ),
      )}
    </ul>
  );
}

/** Leads to its form; where the user has none, administrators come to its history. */
function UsingEntity({ entity }: { readonly entity: EntityName }) {
  const page = pageOfAny(entity, useForms().data?.forms ?? []);
  return page === undefined ? <EntityLink entity={entity} /> : <Link href={page}>{entityText(entity)}</Link>;
}

/** Leads to where it is set; users who may not change the pipeline come to its runs. */
function PlaceInPipeline(place: Usage) {
  const pipeline = pipelineIn(place);
  const mayEdit = useMayEditPipeline();
  const { stage_name: stage, job_name: job, template_name: template } = place;
  return (
    <li>
      <Link href={mayEdit(pipeline) ? pageOf.editPipeline(pipeline, { stage, job }) : pageOf.activity(pipeline)}>{placeText(place)}</Link>
      {template !== undefined && (
        <>
          , in the template{' '}
          {currentSession()?.can?.view_templates ? <Link href={pageOf.editTemplate(template, { stage, job })}>{template}</Link> : template}
        </>
      )}
    </li>
  );
}

function pipelineIn({ pipeline = '', pipeline_name: name = pipeline }: Usage): string {
  return name;
}

function placeText(place: Usage): string {
  return [pipelineIn(place), place.stage_name, place.job_name].filter((part) => part !== undefined).join(' / ');
}
