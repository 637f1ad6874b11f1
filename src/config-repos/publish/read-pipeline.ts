// Reads a pipeline of a config repo.
import type { DefinedPipeline } from '../../contracts/plugins/config-repo.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import { type ReadAgainst, type ReadingTools, readEntity } from '../../shape/json/entity-json.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import type { Kind } from '../../shape/resource.ts';
import type { MaterialsOfRepo } from './materials-of-repo.ts';

/** The display order of a file that sets none. */
const UNORDERED = -1;

export interface ReadPipeline {
  readonly entity: EntityNamed<'pipelines'>;
  readonly problems: readonly Problem[];
}

/** A pipeline under the name that it gets, and the problems found while reading it. */
export function readPipeline(
  kind: Kind<'pipelines'>,
  { defined, id, repo }: { readonly defined: DefinedPipeline; readonly id: string; readonly repo: string },
  against: Pick<ReadAgainst, 'ruleView' | 'current'>,
  materials: MaterialsOfRepo,
  tools: ReadingTools,
): ReadPipeline {
  const { file, body, displayOrder } = defined;
  const { json, problems, scms, packages } = materials.resolve({ ...body, name: id }, defined);
  const read = readEntity(kind, json, { ...against, isSealed: true, file: { configRepo: repo } }, tools);
  const order = displayOrder === UNORDERED ? {} : { order: displayOrder };
  const origin = { repo, file, ...order, ...(hasAny(scms) && { scms }), ...(hasAny(packages) && { packages }) };
  return { entity: { ...read.entity, origin }, problems: [...read.problems, ...problems] };
}

function hasAny(names: object): boolean {
  return Object.keys(names).length > 0;
}
