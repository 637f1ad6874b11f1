// Role policies: what the directives of a user's roles decide about one resource. Pure.
import { matchesWildcard } from '../kit/text/wildcard.ts';
import type { PolicyType } from '../shape/resource.ts';

export type Action = 'view' | 'administer';

export interface Directive {
  readonly permission: string;
  readonly action: string;
  readonly type: string;
  readonly resource: string;
}

/** A resource and the action that a user wants to take on it; `within` is the cluster profile an elastic agent profile belongs to. */
export interface AccessRequest {
  readonly type: PolicyType;
  readonly action: Action;
  readonly resource: string;
  readonly within?: string;
}

export type PolicyDecision = 'allow' | 'deny' | undefined;

/** In each role the first directive that matches decides; a deny in any role wins. */
export function decidePolicy(policies: readonly (readonly Directive[])[], question: AccessRequest): PolicyDecision {
  const decisions = policies.map((directives) => directives.find((directive) => answers(directive, question))?.permission);
  if (decisions.includes('deny')) return 'deny';
  return decisions.includes('allow') ? 'allow' : undefined;
}

/** Whether any directive speaks of this kind of thing at all. */
export function concerns(policies: readonly (readonly Directive[])[], type: PolicyType): boolean {
  return policies.some((directives) =>
    directives.some((directive) => directive.type === '*' || directive.type === type || TYPES_COVERED[type]?.includes(directive.type)),
  );
}

/** Whether any directive allows to administer, and so to create, things of this kind under some name. */
export function allowsCreating(policies: readonly (readonly Directive[])[], type: PolicyType): boolean {
  const isOfKind = (directive: Directive) => directive.type === '*' || directive.type === type || COVERS[directive.type] === type;
  const isAllowed = ({ permission, action }: Directive) => permission === 'allow' && (action === 'administer' || action === '*');
  return policies.some((directives) => directives.some((directive) => isAllowed(directive) && isOfKind(directive)));
}

const COVERS: Readonly<Partial<Record<string, PolicyType>>> = { cluster_profile: 'elastic_agent_profile' };

/** A directive on a cluster covers its profiles, and one on a profile shows its cluster. */
const TYPES_COVERED: Readonly<Partial<Record<PolicyType, readonly string[]>>> = {
  cluster_profile: ['elastic_agent_profile'],
  elastic_agent_profile: ['cluster_profile'],
};

function answers({ action, type, resource }: Directive, question: AccessRequest): boolean {
  if (action !== 'administer' && action !== '*' && action !== question.action) return false;
  const [cluster, profile] = splitResource(resource);
  switch (question.type) {
    case 'elastic_agent_profile':
      if (type === 'cluster_profile') return matchesWildcard(resource, question.within ?? '');
      return (
        isOfType(type, question.type) && matchesWildcard(cluster, question.within ?? '') && matchesWildcard(profile, question.resource)
      );
    case 'cluster_profile':
      if (type === 'elastic_agent_profile') return question.action === 'view' && matchesWildcard(cluster, question.resource);
      return isOfType(type, question.type) && matchesWildcard(resource, question.resource);
    default:
      return isOfType(type, question.type) && matchesWildcard(resource, question.resource);
  }
}

function isOfType(type: string, wanted: PolicyType): boolean {
  return type === '*' || type === wanted;
}

/** `cluster:profile`; without the cluster, any. */
function splitResource(resource: string): [cluster: string, profile: string] {
  const colon = resource.indexOf(':');
  return colon < 0 ? ['*', resource] : [resource.slice(0, colon), resource.slice(colon + 1)];
}
