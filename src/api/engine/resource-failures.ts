// The failures of the routes of a resource, with the messages of its declaration.
import type { Collection, Entity, Kind, Singleton } from '../../shape/resource.ts';
import { refusalBody } from '../http/refusal-reply.ts';
import { exampleId, exampleSecrets } from './answer-example.ts';
import type { RouteDescription } from './route.ts';
import { duplicate } from './verbs/create.ts';

type Failures = NonNullable<RouteDescription['failures']>;

interface ResourceFailures {
  readonly show: Failures;
  readonly change: Failures;
  readonly remove: Failures;
}

const IN_USE = { when: 'Something else refers to it.' };
const NOT_SET = 'Nothing is set, or the Accept header asks for a version that does not exist.';

export function memberFailures(kind: Kind & Collection, example: () => Entity): ResourceFailures & { readonly create: Failures } {
  const { notFound, stale } = kind.messages;
  const id = exampleId(kind);
  const show = { 404: { example: { message: notFound('unknown') } } };
  const change = { ...show, 412: { example: { message: stale(id) } } };
  return {
    create: { 422: { example: () => refusalBody(duplicate(kind, id, example(), example(), exampleSecrets)) } },
    show,
    change,
    remove: { ...change, 422: IN_USE },
  };
}

export function singletonFailures(kind: Kind & Singleton): ResourceFailures {
  const change = { 412: { example: { message: kind.messages.stale('') } } };
  return {
    show: kind.unset ? {} : { 404: { when: NOT_SET } },
    change,
    remove: { ...change, 404: { when: NOT_SET } },
  };
}
