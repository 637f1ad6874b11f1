// Messages about a material, without its secrets.
import { findRepositoryDefinition, isRepositoryType } from '../types/list.ts';
import type { Detail } from '../types/repository-definition.ts';
import { isRepository, shownAddress } from './configured-types.ts';
import type { Material } from './material.ts';

/** Up to the first detail, which has a word and a colon before it. */
const ADDRESS = /^URL: (.*?)(?:, [A-Z][A-Za-z]*: .*)?$/s;

/** The address of a material in short: of a repository its URL, of others their names. */
export function shortDescription({ written, definition }: Pick<Material, 'written' | 'definition'>): string {
  if (definition) return 'scm' in definition ? definition.scm.name : `${definition.repository.name}: ${definition.package.name}`;
  if (written.type === 'dependency') return `${written.attributes.pipeline} [ ${written.attributes.stage} ]`;
  return isRepository(written) ? shownAddress(written) : '';
}

/** The attributes that distinguish a repository from others at its address. */
export function detailsOf({ type, written: { attributes } }: Pick<Material, 'type' | 'written'>): readonly Detail[] {
  return findRepositoryDefinition(type)?.details(attributes) ?? [];
}

export function longDescription(material: Pick<Material, 'type' | 'written' | 'definition'>): string {
  const short = shortDescription(material);
  if (isRepositoryType(material.type))
    return [['URL', short], ...detailsOf(material)].map(([label, value]) => `${label}: ${value}`).join(', ');
  switch (material.type) {
    case 'package':
      return `Package: [${short}]`;
    case 'plugin':
      return `SCM: [${short}]`;
    default:
      return short;
  }
}

/** The address in the long description of a repository, which is all that runs keep of it. */
export function addressIn(description: string): string {
  return ADDRESS.exec(description)?.[1] ?? description;
}

export function failedMessage(material: Material): string {
  const pipelines = [...new Set(material.uses.map(({ pipeline }) => pipeline))];
  const affected =
    pipelines.length > 0
      ? `Affected pipelines are ${pipelines.join(', ')}.`
      : 'No pipelines affected, may only affect configuration repositories.';
  return `Modification check failed for material: ${longDescription(material)}\n${affected}`;
}

export function emptyMessage(material: Material): string {
  return `Latest modifications check for the material '${longDescription(material)}' returned an empty modification list. This might be because the material might be wrongly configured.`;
}

export function hungMessage(material: Material, minutes: number): { readonly message: string; readonly detail: string } {
  return {
    message: `Material update for ${shortDescription(material)} hung:`,
    detail: `Material update is currently running but has not shown any activity in the last ${minutes} minute(s). This may be hung. Details - ${longDescription(material)}`,
  };
}
