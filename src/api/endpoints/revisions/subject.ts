// The entity that an address of the history is about.
import type { Config } from '../../../config/current.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type Kind, keyOf, resourceName } from '../../../shape/resource.ts';
import type { ApiRequest } from '../../engine/route.ts';
import { hasNoId, needsId, unknownResource } from './docs.ts';
import { ENTITIES_PATH } from './json.ts';

export const MEMBER_PATH = `${ENTITIES_PATH}/:resource/:id`;
/** Of which there is one only. */
export const ONLY_PATH = `${ENTITIES_PATH}/:resource`;

export interface Subject {
  readonly kind: Kind;
  /** The id as it was asked for; empty where there is only one entity. */
  readonly id: string;
  readonly key: string;
}

export type FindSubject = (config: Config, request: Pick<ApiRequest, 'params'>) => Subject;

export const memberIn: FindSubject = (config, { params: { resource = '', id = '' } }) => {
  const kind = kindNamed(config.kinds.values(), resource, 'collection');
  return { kind, id, key: keyOf(kind, config.of(kind.name).idAt(id)) };
};

export const onlyIn: FindSubject = (config, { params: { resource = '' } }) => ({
  kind: kindNamed(config.kinds.values(), resource, 'singleton'),
  id: '',
  key: '',
});

function kindNamed(kinds: Iterable<Kind>, resource: string, shape: Kind['shape']): Kind {
  const found = [...kinds].find((kind) => resourceName(kind) === resource);
  if (found?.shape === shape) return found;
  if (!found) throw new Refusal('notFound', unknownResource(resource));
  throw new Refusal('notFound', shape === 'singleton' ? needsId(resource) : hasNoId(resource));
}
