// Which pipelines definitions refer to that are not there, and which repos would bring them. Pure.
import { isObject, scalarText } from '../../shape/json.ts';
import type { Publication } from '../publication.ts';

type Definitions = Pick<Publication, 'pipelines' | 'environments'>;

/** The names of pipelines that definitions cannot be without, in small letters. */
export function neededBy({ pipelines, environments }: Definitions): ReadonlySet<string> {
  const upstream = pipelines.flatMap(({ body }) =>
    objectsIn(body.materials).flatMap(({ type, attributes }) => (type === 'dependency' && isObject(attributes) ? attributes.pipeline : [])),
  );
  const members = environments.flatMap(({ body }) => objectsIn(body.pipelines).map(({ name }) => name));
  return new Set([...upstream, ...members].map((name) => scalarText(name as never).toLowerCase()));
}

/** Whether definitions need what is neither there nor among them. */
export function isIncomplete(own: Definitions, isThere: (pipeline: string) => boolean): boolean {
  const defined = new Set(namesOf(own));
  return [...neededBy(own)].some((name) => !defined.has(name) && !isThere(name));
}

/**
 * The holders whose definitions `own` cannot be without, and that those cannot be without, and so on; undefined: somebody needs
 * what nobody has. `load` gives what a holder defines; undefined: it cannot be had.
 */
export async function holdersNeeded<H, D extends Definitions>(
  own: Definitions,
  isThere: (pipeline: string) => boolean,
  holderOf: ReadonlyMap<string, H>,
  load: (holder: H) => Promise<D | undefined>,
): Promise<readonly D[] | undefined> {
  const found = new Map<H, D>();
  const defined = new Set(namesOf(own));
  const open = [...neededBy(own)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (defined.has(name) || isThere(name)) continue;
    const holder = holderOf.get(name);
    if (holder === undefined || found.has(holder)) return undefined;
    const definitions = await load(holder);
    if (!definitions) return undefined;
    found.set(holder, definitions);
    for (const other of namesOf(definitions)) defined.add(other);
    open.push(...neededBy(definitions), name);
  }
  return [...found.values()];
}

function namesOf({ pipelines }: Definitions): string[] {
  return pipelines.map(({ name }) => name.toLowerCase());
}

function objectsIn(list: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
