// How a kind of configuration is called in sentences about single entities.
import type { Kind } from '../../shape/resource.ts';

/** `Pipeline 'web'`, `Mail server` */
export function called(kind: Kind, address: string): string {
  const word = kind.title.replace(/ config$/, '');
  return kind.shape === 'singleton' ? word : `${word} '${address}'`;
}

/** `pipeline groups` */
export function severalOf({ name }: Pick<Kind, 'name'>): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
