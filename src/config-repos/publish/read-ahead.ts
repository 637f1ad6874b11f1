// Reads the pipelines of a publication before its turn comes: during its turn all other changes wait.
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { DefinedPipeline } from '../../contracts/plugins/config-repo.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { etagAhead } from '../../shape/json/etag.ts';
import { isObject, type JsonObject } from '../../shape/json/json.ts';
import type { Entity } from '../../shape/resource.ts';
import type { ApplyTools } from './apply-to-draft.ts';
import { MaterialsOfRepo } from './materials-of-repo.ts';
import type { Publication } from './publication.ts';
import { type ReadPipeline, readPipeline } from './read-pipeline.ts';

interface ReadyPipeline {
  readonly read: ReadPipeline;
  /** The pipeline as it was then. */
  readonly current: Entity | undefined;
}

/** Material types that refer to other entities: the result for their pipeline depends on the draft to which it is applied. */
const DEPENDING_ON_OTHERS: ReadonlySet<unknown> = new Set(['plugin', 'package']);

export class ReadAhead {
  readonly #ready: ReadonlyMap<DefinedPipeline, ReadyPipeline>;

  private constructor(ready: ReadonlyMap<DefinedPipeline, ReadyPipeline>) {
    this.#ready = ready;
  }

  static async of(publication: Publication, config: Config, tools: ApplyTools): Promise<ReadAhead> {
    const draft = new Draft(config);
    const kind = draft.kind('pipelines');
    const materials = new MaterialsOfRepo(draft, publication, tools.reading);
    const ready = new Map<DefinedPipeline, ReadyPipeline>();
    for (const defined of publication.pipelines) {
      if (publication.isInForce(defined.file) || dependsOnOthers(defined.body)) continue;
      const current = draft.find(kind, defined.name)?.value;
      const read = readPipeline(
        kind,
        { defined, id: defined.name, repo: publication.repo },
        { ruleView: draft.ruleView, current },
        materials,
        tools.reading,
      );
      etagAhead(read.entity);
      ready.set(defined, { read, current });
      const wait = pause();
      if (wait) await wait;
    }
    return new ReadAhead(ready);
  }

  /** undefined: it has to be read now, because it was not read ahead, or the entity in force has changed since. */
  find(defined: DefinedPipeline, current: Entity | undefined): ReadPipeline | undefined {
    const ready = this.#ready.get(defined);
    return ready && ready.current === current ? ready.read : undefined;
  }
}

function dependsOnOthers({ materials }: JsonObject): boolean {
  return Array.isArray(materials) && materials.some((material) => isObject(material) && DEPENDING_ON_OTHERS.has(material.type));
}
