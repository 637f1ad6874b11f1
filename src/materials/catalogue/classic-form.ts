// A material as the oldest lists of GoCD name it: the type in words, and where it is.
import { findRepositoryDefinition } from '../types/list.ts';
import type { Material } from './material.ts';
import { longDescription } from './messages.ts';

export interface ClassicForm {
  readonly type: string;
  readonly description: string;
}

const OTHER_TYPES: Readonly<Record<string, string>> = { dependency: 'Pipeline', package: 'Package', plugin: 'SCM' };

export function classicForm(material: Pick<Material, 'type' | 'written' | 'definition'>): ClassicForm {
  const { type, written } = material;
  // Clients find the pipelines before this one by comparing names.
  if (written.type === 'dependency') return { type: shownType(type), description: written.attributes.pipeline };
  return { type: shownType(type), description: longDescription(material) };
}

/** The type in words. */
export function shownType(type: string): string {
  return findRepositoryDefinition(type)?.title ?? OTHER_TYPES[type] ?? type;
}
