// One operation of a batch, as it was sent.
import { Refusal } from '../../../kit/refusal.ts';
import { isObject, type Json, type JsonObject } from '../../../shape/json/json.ts';
import type { Kind } from '../../../shape/resource.ts';
import type { Route } from '../route.ts';
import { targetAt } from './operation-path.ts';

export type BatchMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface BatchOperation {
  readonly method: BatchMethod;
  readonly kind: Kind;
  /** The part of the path that names the entity; empty for a singleton, and for an entity to create. */
  readonly address: string;
  readonly body: JsonObject;
  readonly ifMatch: string | undefined;
  /** The route that the single call would take. */
  readonly route: Route;
}

const METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'] satisfies BatchMethod[];
const NOTHING: JsonObject = {};

/** Refuses operations that are not well formed, and those that no single request could do. */
export function readOperation(item: Json, kinds: Iterable<Kind>, routes: readonly Route[], contextPath: string): BatchOperation {
  if (!isObject(item)) throw wrong('An operation must be an object.');
  const method = textIn(item, 'method').toUpperCase();
  if (!METHODS.includes(method)) throw wrong(`The method must be one of ${METHODS.join(', ')}.`);
  const path = textIn(item, 'path');
  const { kind, address, routePath } = targetAt(path, kinds, contextPath);
  const route = routes.find((one) => one.method === method && one.path === routePath);
  if (!route) throw wrong(`The path '${path.slice(0, 200)}' does not support ${method}.`);
  const { body = NOTHING, if_match: ifMatch = null } = item;
  if (!isObject(body)) throw wrong('The member `body` must be an object.');
  if (ifMatch !== null && typeof ifMatch !== 'string') throw wrong('The member `if_match` must be a string.');
  return { method: method as BatchMethod, kind, address, body, ifMatch: ifMatch ?? undefined, route };
}

function textIn(item: JsonObject, name: string): string {
  const value = item[name];
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(`The member \`${name}\` must be a non-empty string.`);
}

function wrong(message: string): Refusal {
  return new Refusal('invalid', message);
}
