// Finds a kind by the name of its resource in a body.
import { type Kind, resourceName } from '../../../shape/resource.ts';

export function kindFor(kinds: Iterable<Kind>, resource: string): Kind | undefined {
  return named(kinds).find((kind) => resourceName(kind) === resource);
}

export function noSuchResource(kinds: Iterable<Kind>, resource: string): string {
  const known = named(kinds).map(resourceName).sort().join(', ');
  return `There is no resource called '${resource.slice(0, 100)}'. Known are ${known}.`;
}

function named(kinds: Iterable<Kind>): Kind[] {
  return [...kinds].filter((kind) => !kind.isInternal);
}
