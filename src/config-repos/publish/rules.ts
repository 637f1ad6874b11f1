// The rules for references of a config repo: deny unless a rule allows, the first match decides.
import { matchesWildcard } from '../../kit/text/wildcard.ts';

export interface Rule {
  readonly directive: string;
  readonly action: string;
  readonly type: string;
  readonly resource: string;
}

export type ReferredType = 'environment' | 'pipeline_group' | 'pipeline';

/** Something a definition refers to. */
export interface Referral {
  readonly type: ReferredType;
  readonly name: string;
}

const NOUNS: Readonly<Record<ReferredType, string>> = {
  environment: 'environment',
  pipeline_group: 'pipeline group',
  pipeline: 'pipeline',
};

export function isAllowed({ type, name }: Referral, rules: readonly Rule[]): boolean {
  const deciding = rules.find((rule) => isOneOf(rule.action, 'refer') && isOneOf(rule.type, type) && matchesWildcard(rule.resource, name));
  return deciding?.directive === 'allow';
}

export function referralText({ type, name }: Referral): string {
  return `${NOUNS[type]} '${name}'`;
}

export function notAllowed(referral: Referral): string {
  return `Not allowed to refer to ${referralText(referral)}. Check the 'Rules' of this config repository.`;
}

function isOneOf(given: string, wanted: string): boolean {
  return given === '*' || given.toLowerCase() === wanted;
}
