// The changes that a file makes to the configuration: decided on a draft, entity by entity.

import type { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { nameOf } from '../../config/references.ts';
import { type RemoteOrigin, repoOriginOf } from '../../config/repo-origin.ts';
import { requiredByRepos } from '../../config/required-by-repos.ts';
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import { writeSealed } from '../../shape/json/entity-json.ts';
import { etagOf } from '../../shape/json/etag.ts';
import { blankIdProblems } from '../../shape/problems/blank-id.ts';
import { isPluginProblem, type Problem } from '../../shape/problems/problem.ts';
import { addressOf, type Entity, idOf, type Kind, keyOf } from '../../shape/resource.ts';
import type { OpenSecret } from '../upgrade/imported-cipher.ts';
import type { IgnoredContent } from '../upgrade/step.ts';
import { type Adaptation, type AdaptedEntity, type AdaptedJson, adaptImport, adaptWhole, KEPT_WHEN_ABSENT } from './adapt.ts';
import { type Collision, SaveCollision } from './collision.ts';
import { type ConfigFile, type FileEntity, jsonOf } from './config-file.ts';
import { KINDS_IN_ORDER, REMOVED_FIRST } from './kinds.ts';
import { merge } from './merge.ts';
import { orderIgnored } from './order.ts';
import type { Plan, PlannedEntity } from './plan.ts';
import { type ReadingParts, readWanted, type WantedEntity } from './read-wanted.ts';

export interface SaveRequest {
  readonly file: ConfigFile;
  /** The file the sender started from; absent: the file wins over all changes of others. */
  readonly base?: ConfigFile | undefined;
  /** `whole`: entities that are not in the file are removed. `import`: they are left alone, and so is the identity of this server. */
  readonly mode: 'whole' | 'import';
  /** Opens the secrets of the server that wrote the file. */
  readonly open?: OpenSecret | undefined;
}

export async function decide(draft: Draft, request: SaveRequest, parts: ReadingParts, pause: Pause): Promise<Plan> {
  const decision = new Decision(draft, request, parts);
  const kinds = KINDS_IN_ORDER.flatMap((name) => draft.kindNamed(name) ?? []);
  const wanted = Map.groupBy(request.file.entities, ({ kind }) => kind);
  for (const kind of request.mode === 'whole' ? kinds.filter(({ name }) => REMOVED_FIRST.has(name)) : []) {
    for (const id of decision.absent(kind, wanted.get(kind.name) ?? [])) {
      await decision.remove(kind, id);
      await pause();
    }
  }
  for (const kind of kinds) {
    for (const entity of wanted.get(kind.name) ?? []) {
      await decision.want(kind, entity);
      await pause();
    }
  }
  // Where a part of the file could not be read, it is unknown which entities are absent.
  if (request.mode === 'whole' && request.file.problems.length === 0) {
    // Entities that refer to others are removed before them.
    for (const kind of kinds.toReversed()) {
      for (const id of decision.absent(kind, wanted.get(kind.name) ?? [])) {
        await decision.remove(kind, id);
        await pause();
      }
    }
  }
  const disordered = request.mode === 'whole' ? kinds.flatMap((kind) => orderIgnored(kind, wanted.get(kind.name) ?? [], draft)) : [];
  const { plan } = decision;
  return { ...plan, ignored: [...plan.ignored, ...disordered] };
}

class Decision {
  readonly #draft: Draft;
  readonly #request: SaveRequest;
  readonly #parts: ReadingParts;
  readonly #base: ReadonlyMap<string, FileEntity> | undefined;
  readonly #wanted = new Set<string>();
  readonly #created: PlannedEntity[] = [];
  readonly #changed: PlannedEntity[] = [];
  readonly #removed: PlannedEntity[] = [];
  readonly #ignored: IgnoredContent[];
  readonly #collisions: Collision[] = [];
  #unchanged = 0;

  constructor(draft: Draft, request: SaveRequest, parts: ReadingParts) {
    this.#draft = draft;
    this.#request = request;
    this.#parts = parts;
    this.#base = request.base && new Map(request.base.entities.map((entity) => [this.#nameIn(entity), entity]));
    this.#ignored = [...request.file.ignored];
  }

  get plan(): Plan {
    if (this.#collisions.length > 0) throw new SaveCollision(this.#collisions);
    return {
      created: this.#created,
      changed: this.#changed,
      removed: this.#removed,
      unchanged: this.#unchanged,
      ignored: this.#ignored,
    };
  }

  async want(kind: Kind, entity: FileEntity): Promise<void> {
    const name = nameOf(kind, keyOf(kind, entity.id));
    const isTwice = this.#wanted.has(name);
    this.#wanted.add(name);
    const base = this.#base?.get(name);
    // A config repo that the file removes has defined it since: the user who removes the repo wants it as it is in the file.
    const isTakenOver = this.#draft.wasRemovedWithOwner(kind, entity.id);
    // An entity that the sender has not touched stays as it is now: it need not even be read.
    if (base?.text === entity.text && !isTwice && !isTakenOver) {
      this.#unchanged++;
      return;
    }
    const now = this.#draft.find(kind, entity.id);
    const remote = now && repoOriginOf(now.value);
    if (remote) {
      this.#draft.put(kind, entity.id, now.value, [remoteProblem(remote)]);
      return;
    }
    const wanted = await this.#read(kind, entity, now);
    if (!wanted) return;
    const problems = [...wanted.problems, ...blankIdProblems(kind, entity.id), ...(isTwice ? duplicateProblems(kind, wanted) : [])];
    if (this.#base && !isTakenOver && problems.every(isPluginProblem)) {
      const result = merge(base && (await this.#etagOf(kind, base, now)), etagOf(wanted.entity), now?.etag);
      if (result === 'collide') {
        const byOthers = !now ? 'delete' : base ? 'change' : 'create';
        this.#collisions.push({ kind, id: entity.id, byOthers, here: 'change' });
      }
      if (result === 'keep') this.#unchanged++;
      if (result !== 'take') return;
    }
    this.#put(kind, entity.id, wanted.entity, problems, now);
  }

  #put(kind: Kind, id: string, entity: WantedEntity['entity'], problems: readonly Problem[], now: Entry | undefined): void {
    const after = this.#draft.put(kind, id, entity, problems);
    const named = { kind: kind.name, id: addressOf(kind, after.value) };
    if (!now) this.#created.push(named);
    else if (after === now) this.#unchanged++;
    else this.#changed.push(named);
  }

  /** The ids of the entities of a kind that are not in the file. */
  *absent(kind: Kind, wanted: readonly FileEntity[]): Generator<string> {
    if (KEPT_WHEN_ABSENT.has(kind.name)) return;
    const known = this.#base
      ? (this.#request.base?.entities ?? []).filter((entity) => entity.kind === kind.name).map(({ id }) => id)
      : Array.from(this.#draft.lookup(kind).values())
          .filter((entity) => !repoOriginOf(entity) && !isAsUnset(kind, entity))
          .map((entity) => idOf(kind, entity));
    const keys = new Set(wanted.map(({ id }) => keyOf(kind, id)));
    for (const id of known) if (!keys.has(keyOf(kind, id))) yield id;
  }

  /** All of it, or all it has of its own where config repos need it. */
  async remove(kind: Kind, id: string): Promise<void> {
    const now = this.#draft.find(kind, id);
    if (!now) return;
    const rest = requiredByRepos(this.#draft, kind, id);
    const base = this.#base?.get(nameOf(kind, keyOf(kind, id)));
    const result = base ? merge(await this.#etagOf(kind, base, now), rest && etagOf(rest), now.etag) : 'take';
    if (result === 'collide') this.#collisions.push({ kind, id, byOthers: 'change', here: rest ? 'change' : 'delete' });
    if (result === 'keep') this.#unchanged++;
    if (result !== 'take') return;
    if (rest) {
      this.#put(kind, id, rest, [], now);
      return;
    }
    this.#draft.remove(kind, id);
    this.#removed.push({ kind: kind.name, id: addressOf(kind, now.value) });
  }

  async #etagOf(kind: Kind, entity: FileEntity, now: Entry | undefined): Promise<string | undefined> {
    const read = await this.#read(kind, entity, now);
    return read && etagOf(read.entity);
  }

  /** undefined: it is not taken over. */
  async #read(kind: Kind, file: FileEntity, now: Entry | undefined): Promise<WantedEntity | undefined> {
    const adaptation: Adaptation | undefined = (this.#request.mode === 'whole' ? adaptWhole : adaptImport)[kind.name];
    const written = jsonOf(file);
    const adaptedJson: AdaptedJson = adaptation?.json?.(written, now && writeSealed(kind, now.value)) ?? { json: written };
    this.#ignored.push(...(adaptedJson.ignored ?? []));
    if (!adaptedJson.json) return undefined;
    const wanted = await readWanted(kind, adaptedJson.json, now?.value, this.#draft, this.#parts, this.#request.open);
    const adaptedEntity: AdaptedEntity = adaptation?.entity?.(wanted.entity, now?.value) ?? { entity: wanted.entity };
    this.#ignored.push(...(adaptedEntity.ignored ?? []));
    return {
      entity: adaptedEntity.entity,
      problems: [...(adaptedJson.problems ?? []), ...wanted.problems, ...(adaptedEntity.problems ?? [])],
    };
  }

  #nameIn({ kind, id }: FileEntity): string {
    const found = this.#draft.kindNamed(kind);
    return found ? nameOf(found, keyOf(found, id)) : `${kind}\n${id}`;
  }
}

/** A file need not contain a singleton that has its default value. */
function isAsUnset(kind: Kind, entity: Entity): boolean {
  return kind.shape === 'singleton' && kind.unset !== undefined && etagOf(entity) === etagOf(kind.unset);
}

function remoteProblem({ repo, file }: RemoteOrigin): Problem {
  const message = `It is defined in the file ${file} of the config repo '${repo}'. Remove it there first, or give it another name here.`;
  return { at: [], message };
}

function duplicateProblems(kind: Kind, { entity }: WantedEntity): Problem[] {
  const id = idOf(kind, entity);
  const { duplicateInFile, duplicateId, duplicate } = kind.messages;
  return [{ at: [], message: duplicateInFile?.(id) ?? duplicateId?.(id) ?? duplicate(addressOf(kind, entity)) }];
}
