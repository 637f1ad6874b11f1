// Finds the materials that a change notification concerns: only materials without automatic polling count.
import { shownUrl } from '../catalogue/configured-types.ts';
import type { Material, MaterialUse } from '../catalogue/material.ts';
import { findRepositoryDefinition } from '../types/list.ts';

const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/** Changes only addresses with a scheme: `git@host:path` says nothing without its user. */
export function withoutUserInfo(url: string): string {
  return url.replace(USER_INFO, '$1');
}

/** The materials of a type at an address, which is given with or without its credentials. */
export function materialsAt(url: string, type: string, materials: Iterable<Material>): Material[] {
  const wanted = comparable(url.trim(), type);
  const bare = withoutUserInfo(wanted);
  return withoutAutoUpdate(materials).filter((material) => {
    if (material.type !== type || comparable(bareUrl(material) ?? '', type) !== bare) return false;
    return wanted === bare || comparable(String(material.toPoll().url), type) === wanted;
  });
}

/** Where an address names a branch, one `#` or two stand before it: the API always shows two. */
function comparable(url: string, type: string): string {
  return (findRepositoryDefinition(type)?.namesBranchInUrl ? url.replace(/#+/, '#') : url).toLowerCase();
}

/** Two SCMs may lead to the same material: each is found by its own name, and its own `autoUpdate` counts. */
export function materialsOfScms(names: readonly string[], materials: Iterable<Material>): Material[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const isMeant = ({ definition }: MaterialUse) =>
    definition !== undefined && 'scm' in definition && !definition.scm.autoUpdate && wanted.has(definition.scm.name.toLowerCase());
  return [...materials].filter(({ type, uses }) => type === 'plugin' && uses.some(isMeant));
}

/** The git materials of a branch whose addresses, without credentials, are among these. */
export function materialsOfBranch(branch: string, urls: ReadonlySet<string>, materials: Iterable<Material>): Material[] {
  return withoutAutoUpdate(materials).filter(
    (material) => material.written.type === 'git' && material.written.attributes.branch === branch && urls.has(bareUrl(material) ?? ''),
  );
}

export function notifiedOfType(type: string, materials: Iterable<Material>): Material[] {
  return withoutAutoUpdate(materials).filter((material) => material.type === type);
}

function withoutAutoUpdate(materials: Iterable<Material>): Material[] {
  return [...materials].filter(({ autoUpdate }) => !autoUpdate);
}

function bareUrl({ written: { attributes } }: Material): string | undefined {
  return 'url' in attributes ? withoutUserInfo(shownUrl(attributes.url)).toLowerCase() : undefined;
}
