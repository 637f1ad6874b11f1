// The list of materials that somebody may see, as JSON: each in the words of the first pipeline of theirs that uses it.
import type { WrittenMaterial } from '../../materials/configured.ts';
import type { Material, MaterialUse } from '../../materials/of-config.ts';
import type { JsonOut } from '../../shape/json.ts';

/** Type and attributes, without secrets. */
export type ShowMaterial = (written: WrittenMaterial) => JsonOut;

interface Listed {
  readonly fingerprint: string;
  readonly use: MaterialUse;
}

/** What was worked out for one state of the configuration: it goes with it. */
interface Worked {
  readonly groups: readonly string[];
  /** By the groups that are seen. */
  readonly lists: Map<string, string>;
}

const MOST_LISTS = 20;
const texts = new WeakMap<WrittenMaterial, string>();
const worked = new WeakMap<ReadonlyMap<string, Material>, Worked>();

/** The members of the list as one text. */
export function listText(materials: ReadonlyMap<string, Material>, mayView: (group: string) => boolean, show: ShowMaterial): string {
  const { groups, lists } = worked.getOrInsertComputed(materials, () => ({ groups: groupsOf(materials), lists: new Map() }));
  const seen = groups.filter(mayView);
  if (lists.size >= MOST_LISTS) lists.clear();
  return lists.getOrInsertComputed(JSON.stringify(seen), () => membersText(materials.values(), new Set(seen), show));
}

function groupsOf(materials: ReadonlyMap<string, Material>): string[] {
  return [...new Set([...materials.values()].flatMap(({ uses }) => uses.map(({ group }) => group)))];
}

function membersText(materials: Iterable<Material>, groups: ReadonlySet<string>, show: ShowMaterial): string {
  const listed: Listed[] = [];
  for (const { fingerprint, uses } of materials) {
    const use = uses.find(({ group }) => groups.has(group));
    if (use) listed.push({ fingerprint, use });
  }
  return listed
    .toSorted((one, other) => one.use.position - other.use.position)
    .map(({ fingerprint, use: { written } }) => memberText(fingerprint, written, show))
    .join(',');
}

/** The fingerprint is that of the package or SCM it names, which may be replaced. */
function memberText(fingerprint: string, written: WrittenMaterial, show: ShowMaterial): string {
  const known = texts.get(written);
  if (known?.includes(fingerprint)) return known;
  const text = JSON.stringify(materialJson(fingerprint, written, show));
  texts.set(written, text);
  return text;
}

export function materialJson(fingerprint: string, written: WrittenMaterial, show: ShowMaterial): JsonOut {
  const { type, attributes } = show(written);
  return { type: type!, fingerprint, attributes: attributes! };
}
