// Materials as the API gives them, which of them are shown, and the texts about them.
import type { AnswerOf } from '../api/answers.ts';

export const MATERIALS_ADDRESS = '/api/internal/materials';
export const MATERIALS_VERSION = 1;

export type MaterialsAnswer = AnswerOf<'GET /api/internal/materials'>;
type AnyMaterial = MaterialsAnswer['materials'][number];
export type Modification = Pick<NonNullable<AnyMaterial['modification']>, 'revision' | 'username' | 'modified_time' | 'comment'>;

/** A material of any type, with the settings that pages show. */
export type Material = Omit<AnyMaterial, 'config'> & {
  readonly config: Pick<AnyMaterial['config'], 'type' | 'fingerprint'> & {
    readonly attributes: {
      readonly name?: string | null;
      readonly branch?: string | null;
      readonly auto_update?: boolean;
      readonly ref?: string;
    };
  };
};

export const keyOf = ({ config }: Material): string => config.fingerprint;
export const isFailing = ({ messages }: Material): boolean => messages.length > 0;

/** The name for people: the name of the material in pipelines, or the end of its address. */
export function titleOf({ place, config: { attributes } }: Pick<Material, 'place' | 'config'>): string {
  return attributes.name || shortAddress(place);
}

/** `example/web` for `https://git.example.org/example/web.git`. */
export function shortAddress(place: string): string {
  const short = place
    .replace(/[/\\]+$/, '')
    .replace(/\.git$/, '')
    .split(/[/\\]/)
    .filter(Boolean)
    .slice(-2)
    .join('/');
  return short === '' ? place : short;
}

/** In the order of their titles, so that no row moves when a material is polled. */
export function shownMaterials(materials: readonly Material[], search: string, onlyFailing: boolean): Material[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return materials
    .filter((material) => (!onlyFailing || isFailing(material)) && words.every((word) => searchTextOf(material).includes(word)))
    .toSorted((one, other) => order.compare(titleOf(one), titleOf(other)) || (keyOf(one) < keyOf(other) ? -1 : 1));
}

const order = new Intl.Collator('en', { numeric: true });
/** Made once for each answer, so that the search keeps up with typing. */
const searchTexts = new WeakMap<Material, string>();

function searchTextOf(material: Material): string {
  const known = searchTexts.get(material);
  if (known !== undefined) return known;
  const { config, place, details, modification, messages } = material;
  const { type, attributes } = config;
  const parts = [type, place, attributes.name, attributes.branch, modification?.revision, modification?.username, modification?.comment];
  const text = [...parts, ...details.map(({ value }) => value), ...messages.map(({ description }) => description)].join('\n').toLowerCase();
  searchTexts.set(material, text);
  return text;
}

export function firstLine(text: string | null | undefined): string {
  return text?.trim().split('\n', 1)[0] ?? '';
}

/** The reason in one line, without the program that found it out. */
export function reasonOf(description: string): string {
  return firstLine(description.replace(/^\w+ ended with status \d+:\s*/, '').replace(/^(?:fatal|error|abort): /, ''));
}

/** Long hashes are cut; numbers and versions are not. */
export function shortRevision(revision: string): string {
  return /^[0-9a-f]{20,}$/.test(revision) ? revision.slice(0, 10) : revision;
}

/** `Ann Other` for `Ann Other <ann@example.org>`. */
export function authorOf(name: string | null): string {
  return name?.replace(/\s*<[^>]*>$/, '') || 'unknown';
}

/** The result of a poll that the user has requested. */
export function outcomeOf(before: Material, after: Material): { readonly kind: 'done' | 'failed'; readonly text: string } {
  const title = titleOf(after);
  const failure = after.messages.find(({ level }) => level === 'ERROR');
  if (failure !== undefined) return { kind: 'failed', text: `${title} could not be polled: ${reasonOf(failure.description)}` };
  const found = after.modification;
  if (found === null || found.revision === before.modification?.revision) return { kind: 'done', text: `${title}: nothing new.` };
  return { kind: 'done', text: `${title}: ${shortRevision(found.revision)} is new. ${firstLine(found.comment)}` };
}
