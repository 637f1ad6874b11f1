// A scope of an access token: `resource:action:pattern`, such as `pipelines:operate:build-*`. Pure.
import { matchesWildcard } from '../../kit/text/wildcard.ts';

/** Each includes those before it. */
export const SCOPE_ACTIONS = ['view', 'operate', 'administer'] as const;
export type ScopeAction = (typeof SCOPE_ACTIONS)[number];

/** Stands for all resources, all actions or all names. */
export const ALL = '*';

/** The action of a request, and the resource it acts on. */
export interface NeededScope {
  readonly resource: string;
  readonly action: ScopeAction;
  /** `*`: with all of them. */
  readonly name: string;
}

export interface Scope extends Pick<NeededScope, 'resource'> {
  readonly action: ScopeAction;
  readonly pattern: string;
}

export const MAX_SCOPE_LENGTH = 300;
const FORM = /^([^:]+):([^:]+):(.+)$/s;

/** undefined: it is none. */
export function parseScope(text: string): Scope | undefined {
  const [, resource, action, pattern] = FORM.exec(text) ?? [];
  const meant = action === ALL ? 'administer' : SCOPE_ACTIONS.find((known) => known === action);
  if (resource === undefined || meant === undefined || pattern === undefined || text.length > MAX_SCOPE_LENGTH) return undefined;
  return { resource, action: meant, pattern: /^\*+$/.test(pattern) ? ALL : pattern };
}

export function scopeText({ resource, action, name }: NeededScope): string {
  return `${resource}:${action}:${name}`;
}

export function covers(scope: Scope, { resource, action, name }: NeededScope): boolean {
  return isOf(scope, resource, action) && matches(scope.pattern, name);
}

/** Whether it allows this action on anything of a kind. */
export function isOf(scope: Scope, resource: string, action: ScopeAction): boolean {
  return (scope.resource === ALL || scope.resource === resource) && rank(scope.action) >= rank(action);
}

function rank(action: ScopeAction): number {
  return SCOPE_ACTIONS.indexOf(action);
}

/** A pattern such as `?` must not stand for all names. */
function matches(pattern: string, name: string): boolean {
  return pattern === ALL || (name !== ALL && matchesWildcard(pattern, name));
}
