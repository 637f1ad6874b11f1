// How a kind of configuration is called in sentences about single entities.
import type { Kind } from '../../shape/resource.ts';

/** `Pipeline 'web'`, `Mail server` */
export function entityLabel(kind: Kind, address: string): string {
  const title = kind.title.replace(/ config$/, '');
  return kind.shape === 'singleton' ? title : `${title} '${address}'`;
}

/** `pipeline groups` */
export function pluralOf({ name }: { readonly name: string }): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
