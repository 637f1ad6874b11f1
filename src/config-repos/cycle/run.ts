// One run of the cycle: reads a new revision of a config repo and brings it into force, or reports why it cannot.
import type { Finding } from '../../config/check-all.ts';
import type { Config } from '../../config/current.ts';
import type { ConfigRepoPlugin } from '../../contracts/plugins/config-repo.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { DutyCycle } from '../../kit/concurrency/duty-cycle.ts';
import type { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { timed } from '../../kit/telemetry/scope.ts';
import type { Material } from '../../materials/catalogue/material.ts';
import { longDescription, shortDescription } from '../../materials/catalogue/messages.ts';
import { MaterialProblem } from '../../materials/clients/client.ts';
import type { openFiles } from '../../materials/files/open-files.ts';
import type { MaterialWork } from '../../materials/polling/run-with-material.ts';
import type { FilesToCheck } from '../../store/config-repos/files.ts';
import type { RepoState } from '../../store/config-repos/states.ts';
import { sizeProblem } from '../parsing/packed.ts';
import { asRepoError, inDisplayOrder, type MergeProblem, SupersededPublication, sourceName } from '../publish/publication.ts';
import type { Publisher } from '../publish/publisher.ts';
import { nothingMatches, notReached, skippedPath } from '../publish/repo-error.ts';
import { definitionsFromFiles, definitionsFromOutlines, sizesOf, UndecryptableDefinitions } from './files/join-definitions.ts';
import { FileReading, type FilesRead, type ReadingParts } from './files/read-files.ts';
import type { ReadLimits } from './files/read-limits.ts';
import type { JointParts, JointPublishing } from './joint-publishing.ts';
import { type Attempt, type AttemptEnd, type ComparedFiles, Progress, type ProgressParts } from './progress.ts';
import { patternsOf, type RepoConfig } from './repo-config.ts';
import { missingPlugin, NO_MESSAGE, noFiles, notMerged, notParsed, problemsText, type StatusMessage } from './texts.ts';
import { actorOf, withdrawForbidden } from './withdraw-forbidden.ts';

export interface RunParts extends ProgressParts, Pick<ReadingParts, 'parse' | 'onFault'>, Pick<JointParts, 'plugins' | 'materials'> {
  readonly config: Config;
  readonly cipher: Cipher;
  readonly publisher: Publisher;
  readonly jointPublishing: Pick<JointPublishing, 'publish'>;
  readonly publishing: KeyedMutex;
  readonly dutyCycle: DutyCycle;
  readonly open: typeof openFiles;
  isBeingPolled(material: Material): boolean;
  /** Runs `work` in the directory of a material, which no poll uses meanwhile. */
  runWithMaterial<T>(material: Material, work: MaterialWork<T>): Promise<T>;
  readonly limits: ReadLimits;
}

/** The attempt, with the state and the material it begins with. */
export interface RunOrder extends Attempt {
  readonly known: RepoState | undefined;
  readonly material: Material;
  readonly signal: AbortSignal;
  onStep(step: 'read' | 'parsed'): void;
  /** Called whenever the state on disk has changed. */
  onPut(state: RepoState): void;
}

/** The fault itself may hold secrets, and is for the log only. */
const GIVEN_UP = {
  message: 'An unexpected error ended the update to this revision.',
  hint: 'See the log of the server; ask for an update of the config repo to try again.',
};

/** The key of the step that one repo does at a time, because it runs on the thread that answers requests. */
const PUBLISHING = 'publishing';

type PluginRepo = RepoConfig & { readonly plugin: ConfigRepoPlugin };

/** Rejects when it was aborted, or is superseded: then nothing is known of how it would have ended. */
export async function runOnce(order: RunOrder, parts: RunParts): Promise<void> {
  await new Run(order, parts).go();
}

class Run {
  readonly #order: RunOrder;
  readonly #parts: RunParts;
  readonly #progress: Progress;
  readonly #source: string;

  constructor(order: RunOrder, parts: RunParts) {
    this.#order = order;
    this.#parts = parts;
    this.#progress = new Progress(order, order.known, parts, order.onPut);
    this.#source = sourceName(shortDescription(order.material), order.revision);
  }

  async go(): Promise<void> {
    const end = await this.#runAndWithdraw().catch((failure: unknown) => this.#endAfterFault(failure));
    await this.#progress.end(end);
  }

  async #runAndWithdraw(): Promise<AttemptEnd> {
    const { repo, material } = this.#order;
    const { plugin, pluginId } = repo;
    const end = plugin ? await this.#attempt({ ...repo, plugin }) : withoutPlugin(missingPlugin(pluginId, longDescription(material)));
    if (end.outcome !== 'published') await withdrawForbidden(repo, this.#parts);
    return end;
  }

  /** After a fault of the server: it is reported, and the repo waits for a change or a request, because another run would end the same way. */
  #endAfterFault(failure: unknown): AttemptEnd {
    const { signal, repo } = this.#order;
    if (signal.aborted || failure instanceof SupersededPublication) throw failure;
    this.#parts.onFault(failure, `the config repo ${repo.id} could not be updated`);
    return { outcome: 'unparsed', status: this.#notParsed(GIVEN_UP.message), errors: [GIVEN_UP], warnings: [], isGivenUp: true };
  }

  async #attempt(repo: PluginRepo): Promise<AttemptEnd> {
    const read = await timed('read', () => this.#read(repo));
    if (read instanceof Error) {
      const message = read.message || 'Unknown error';
      return { outcome: 'unread', status: this.#notParsed(message), errors: [notReached(message)], warnings: [] };
    }
    this.#order.onStep('parsed');
    try {
      return await this.#parts.publishing.run(PUBLISHING, () => timed('publish', () => this.#publishFiles(repo, read)), this.#order.signal);
    } catch (failure) {
      if (!(failure instanceof UndecryptableDefinitions)) throw failure;
      await this.#progress.forget();
      return this.#attempt(repo);
    }
  }

  async #publishFiles(repo: PluginRepo, read: Pick<FilesRead, 'fresh' | 'notes'>): Promise<AttemptEnd> {
    // Pauses between the steps: each of them reads all files and is short, but together they would be long.
    const known = await this.#progress.compareFiles();
    const toCheck = await this.#parts.files.toCheck(repo.id);
    await pause();
    const { problems, warnings: fileWarnings } = definitionsFromOutlines(repo.plugin, toCheck.files, known.versions);
    const warnings = [
      ...(known.versions.length === 0 ? [nothingMatches(patternsOf(repo))] : []),
      ...read.notes.map(skippedPath),
      ...fileWarnings,
    ];
    if (problems.length > 0) return { outcome: 'unparsed', status: this.#notParsed(problemsText(problems)), errors: problems, warnings };
    await pause();
    const refused = await this.#publish(repo, known, toCheck, read.fresh);
    if (refused.length > 0) {
      return { outcome: 'refused', status: notMerged(refused, this.#source), errors: refused.map(asRepoError), warnings };
    }
    const status = known.versions.length === 0 ? noFiles(repo.id, patternsOf(repo), read.notes) : NO_MESSAGE;
    return { outcome: 'published', status, errors: [], warnings };
  }

  /** Reads the files; returns an error, without secrets, when they cannot be read. */
  async #read(repo: PluginRepo): Promise<Pick<FilesRead, 'fresh' | 'notes'> | Error> {
    const { since } = this.#progress;
    if (since?.isUpToDate) {
      this.#order.onStep('read');
      return { fresh: new Map(), notes: [] };
    }
    // Another run follows the end of the poll; until then other repos can use the slot.
    if (this.#parts.isBeingPolled(this.#order.material)) throw new SupersededPublication();
    try {
      const read = await this.#readFiles(repo, since?.cursor);
      await this.#progress.keepRead(read);
      return read;
    } catch (failure) {
      this.#order.signal.throwIfAborted();
      if (!(failure instanceof MaterialProblem)) this.#parts.onFault(failure, `the config repo ${repo.id} could not be read`);
      return failure instanceof Error ? failure : new Error(String(failure));
    }
  }

  #readFiles(repo: PluginRepo, since: string | undefined): Promise<FilesRead> {
    const { parse, onFault, files, cipher, limits, runWithMaterial, open } = this.#parts;
    const { revision, material, onStep } = this.#order;
    const tooLong = AbortSignal.timeout(limits.readMs);
    const signal = AbortSignal.any([this.#order.signal, tooLong]);
    const reading = new FileReading(repo, {
      parse: (plugin, file, bytes) => parse(plugin, file, bytes, signal),
      onFault,
      files,
      cipher,
      writePart: (part) => this.#progress.writePart(part),
    });
    const work = runWithMaterial(material, {
      signal,
      limits: { timeoutMs: limits.programMs, maxBytes: limits.maxBytes },
      do: async (polled, context) => {
        const from = await open(polled, revision, context);
        try {
          return await reading.run(from, since, () => onStep('read'));
        } finally {
          await from.close();
        }
      },
    });
    return work.catch((failure: unknown) => {
      throw tooLong.aborted ? new MaterialProblem(`Reading the files takes longer than ${limits.readMs / 1000} seconds.`) : failure;
    });
  }

  async #publish(
    repo: PluginRepo,
    { versions, isReliedOn }: ComparedFiles,
    toCheck: FilesToCheck,
    fresh: FilesRead['fresh'],
  ): Promise<readonly MergeProblem[]> {
    const { config, files, publisher, jointPublishing, dutyCycle } = this.#parts;
    const published = config.of('publishedRevisions').find(repo.id);
    const isKept = isReliedOn && published !== undefined;
    const toApply = isKept ? toCheck.files.filter(({ isInForce }) => !isInForce) : await files.all(repo.id);
    await pause();
    const tooMuch = sizeProblem(sizesOf(toApply, fresh));
    if (tooMuch) return [{ ...tooMuch, isRule: false, definedAt: undefined }];
    const different = new Set([...toApply.map(({ path }) => path), ...toCheck.removedPaths]);
    const { pipelines, environments } = await definitionsFromFiles(repo.id, repo.plugin, toApply, versions, fresh, this.#parts);
    const publication = {
      repo: repo.id,
      etag: repo.etag,
      inForceEtag: isKept ? published.etag : undefined,
      revision: this.#order.revision,
      source: this.#source,
      pipelines: inDisplayOrder(pipelines),
      environments,
      isInForce: (file: string) => isKept && !different.has(file),
      material: repo.material,
      rules: repo.rules,
    };
    let findings: readonly Finding[] = [];
    const onRefused = (found: readonly Finding[]) => {
      findings = found;
    };
    const refused = await dutyCycle.run(() => publisher.publish(publication, this.#author, { onRefused }), this.#order.signal);
    // Other repos may have to change along. They are tried again after the change, and then find their definitions in force.
    const canPublishJointly = refused.length > 0 && !refused.some(({ isRule }) => isRule);
    return canPublishJointly && (await jointPublishing.publish(publication, findings, this.#author)) ? [] : refused;
  }

  #notParsed(detail: string): StatusMessage {
    const { repo, material } = this.#order;
    return notParsed(repo.pluginId, longDescription(material), detail);
  }

  get #author() {
    return { actor: actorOf(this.#order.repo.id), token: null, address: null, reason: this.#source };
  }
}

function withoutPlugin(status: StatusMessage): AttemptEnd {
  return { outcome: 'unparsed', status, errors: [{ message: status.detail }], warnings: [] };
}
