// The cycle with a real database and a real configuration, and with repositories that are held in memory, so that they can hang, fail and be cut off.
import { ConfigRepoCycles } from '../../../src/config-repos/cycle/cycles.ts';
import { packed } from '../../../src/config-repos/parsing/packed.ts';
import { Publisher } from '../../../src/config-repos/publish/publisher.ts';
import type { ChosenFile } from '../../../src/contracts/plugins/config-repo.ts';
import { yamlParser } from '../../../src/formats/file-parsers.ts';
import { locate } from '../../../src/formats/locate.ts';
import { HealthMessages } from '../../../src/health/messages.ts';
import { sha256 } from '../../../src/kit/bytes/hash.ts';
import type { Clock } from '../../../src/kit/concurrency/clock.ts';
import { DutyCycle } from '../../../src/kit/concurrency/duty-cycle.ts';
import { KeyedMutex } from '../../../src/kit/concurrency/keyed-mutex.ts';
import { PeriodicRunner } from '../../../src/kit/concurrency/periodic/periodic.ts';
import type { Material } from '../../../src/materials/catalogue/material.ts';
import type { FileChanges, PathProblem, RepoFile, RevisionFiles } from '../../../src/materials/files/contract.ts';
import type { FinishedPoll } from '../../../src/materials/polling/poll-run.ts';
import { yamlConfigRepoPlugin } from '../../../src/plugins/bundled/config-repos/yaml.ts';
import { PluginHost } from '../../../src/plugins/host.ts';
import { ConfigRepoFiles } from '../../../src/store/config-repos/files.ts';
import { ConfigRepoParses } from '../../../src/store/config-repos/parses.ts';
import { ConfigRepoStates } from '../../../src/store/config-repos/states.ts';
import type { StoredMaterial } from '../../../src/store/materials/materials.ts';
import { writtenGit } from '../../support/configuration/written-material.ts';
import { ALLOW_ALL_ADDRESSES } from '../../support/server/allow-all-addresses.ts';
import { RepoLab } from '../support.ts';
import { until } from './config-repo-server.ts';

/** A repository: its revisions, each with all its files. */
export class MemoryRepository {
  readonly revisions: Readonly<Record<string, string>>[] = [];
  /** Reads wait for it. */
  gate: Promise<void> = Promise.resolve();
  reads: string[] = [];
  notes: readonly PathProblem[] = [];
  /** Why it cannot be polled. */
  failure: string | undefined;

  /** Undefined: the file is removed. */
  commit(files: Readonly<Record<string, string | undefined>>): void {
    const all = { ...this.revisions.at(-1), ...files };
    this.revisions.push(Object.fromEntries(Object.entries(all).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]]))));
  }

  get revision(): string | undefined {
    return this.revisions.length === 0 ? undefined : String(this.revisions.length);
  }

  open(revision: string, signal: AbortSignal): RevisionFiles {
    const files = this.revisions[Number(revision) - 1]!;
    const fileAt = (path: string): RepoFile => ({ path, from: path, id: sha256(files[path]!) });
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    aborted.catch(() => {});
    return {
      revision,
      changes: async (since, choose): Promise<FileChanges> => {
        await Promise.race([this.gate, aborted]);
        const before = since === undefined ? undefined : this.revisions[Number(since) - 1];
        const paths = Object.keys(files).filter((path) => !before || before[path] !== files[path]);
        const gone = Object.keys(before ?? {}).filter((path) => files[path] === undefined);
        const changed = [...(await choose(paths))].map(fileAt);
        return { isComplete: !before, changed, removed: [...(await choose(gone))], problems: [], notes: this.notes, cursor: revision };
      },
      read: async function* (this: MemoryRepository, wanted: readonly RepoFile[]) {
        for (const { path } of wanted) {
          this.reads.push(path);
          yield { path, bytes: Buffer.from(files[path]!) };
        }
      }.bind(this),
      close: async () => {},
    };
  }
}

export interface LabOptions {
  readonly parse?: (file: ChosenFile, bytes: Uint8Array) => ReturnType<typeof packed>;
  readonly readMs?: number;
  readonly places?: number;
  readonly clock?: Clock;
}

const KIND = 'config repo update';

export class CycleLab {
  readonly lab: RepoLab;
  readonly repositories: Map<string, MemoryRepository>;
  readonly health = new HealthMessages();
  readonly faults: unknown[] = [];
  readonly #runner: PeriodicRunner;
  readonly #listeners: ((poll: FinishedPoll) => void)[] = [];
  cycles!: ConfigRepoCycles;

  private constructor(lab: RepoLab, repositories: Map<string, MemoryRepository>, { places = 4, clock }: LabOptions) {
    this.lab = lab;
    this.repositories = repositories;
    this.#runner = new PeriodicRunner({
      ...(clock && { clock }),
      slots: { [KIND]: places },
      onFailure: (_, failure) => this.faults.push(failure),
    });
  }

  /** Opens a started lab on a new data directory, or one on that of an ended lab, which goes on when it is started. */
  static async open(options: LabOptions = {}, before?: CycleLab): Promise<CycleLab> {
    const repoLab = await RepoLab.open(before?.lab.configuration.dataDir);
    const lab = new CycleLab(repoLab, before?.repositories ?? new Map(), options);
    lab.#load(options);
    if (!before) await lab.start();
    return lab;
  }

  #load({ parse, readMs = 5000 }: LabOptions): void {
    const { config, changes, cipher, parts, database } = this.lab.configuration;
    const plugins = new PluginHost([yamlConfigRepoPlugin], cipher, () => ({ contextPath: '', secureSiteUrl: undefined }));
    this.cycles = new ConfigRepoCycles({
      config,
      changes,
      plugins,
      cipher,
      database,
      states: new ConfigRepoStates(database),
      files: new ConfigRepoFiles(database),
      parses: new ConfigRepoParses(database),
      publisher: new Publisher({ config, changes, tools: parts.tools, locate }),
      publishing: new KeyedMutex(),
      dutyCycle: new DutyCycle({ share: 1, maxRestMs: 0 }),
      parse: async (_plugin, file, bytes) => (parse ? parse(file, bytes) : packed(yamlParser.parse(file, bytes))),
      open: async (material, revision, { signal }) => this.#repository(String(material.fingerprint)).open(revision, signal),
      runWithMaterial: (material, { signal, limits, do: work }) =>
        work(
          { type: 'git', fingerprint: material.fingerprint },
          { signal, limits, directory: '', onActivity: () => {}, ...ALLOW_ALL_ADDRESSES },
        ),
      isBeingPolled: () => false,
      limits: { readMs, programMs: readMs, maxBytes: 0 },
      materials: {
        ofConfigRepo: async (id) => (config.of('configRepos').find(id) ? materialOf(id) : undefined),
        find: async (fingerprint) => this.#stored(fingerprint),
        all: async () => [...this.repositories.keys()].map((id) => this.#stored(id)),
        requestPoll: async (fingerprint) => {
          setImmediate(() => this.pollEnded(fingerprint, this.#repository(fingerprint).failure));
          return 'scheduled';
        },
        isUnderWay: () => false,
        listen: (listener) => this.#listeners.push(listener),
        modification: async () => undefined,
      },
      runner: this.#runner,
      kind: KIND,
      health: this.health,
      isPaused: () => false,
      onFault: (failure) => this.faults.push(failure),
    });
  }

  /** Adds a repo with files. */
  async add(id: string, files: Readonly<Record<string, string>>): Promise<MemoryRepository> {
    const repository = this.#repository(id);
    repository.commit(files);
    await this.lab.addRepo(id);
    return repository;
  }

  /** Adds a repo that cannot be reached, and ends when that is in its history. */
  async addUnreachable(id: string, failure: string): Promise<void> {
    this.#repository(id).failure = failure;
    await this.lab.addRepo(id);
    await until('the history', async () => (await this.parses(id)).length > 0);
    await this.rest(id);
  }

  /** Brings a repo up to date, and waits for the end of it. */
  async update(id: string): Promise<void> {
    await this.cycles.update(id);
    await this.rest(id);
  }

  /** A poll has ended. */
  pollEnded(id: string, failure?: string): void {
    for (const listener of this.#listeners)
      listener({ material: materialOf(id), failure, isChanged: true, wasRequested: false, wasStopped: false, seconds: 0 });
  }

  async parses(id: string) {
    return new ConfigRepoParses(this.lab.configuration.database).page(id, 100);
  }

  /** Everything that is on disk about a repo, as the next process will find it. */
  async onDisk(id: string): Promise<{ files: object[]; state: object | undefined }> {
    const { query } = this.lab.configuration.database;
    const files = await query
      .selectFrom('config_repo_files')
      .select(['path', 'content_id', 'is_in_force'])
      .where('repo', '=', id)
      .execute();
    const state = await query.selectFrom('config_repo_states').selectAll().where('repo', '=', id).executeTakeFirst();
    return { files, state };
  }

  /** Lets nothing reach the disk from the given write on, counted from now, as if the process had ended. */
  endAtWrite(number: number): void {
    const { database } = this.lab.configuration;
    let count = 0;
    for (const name of ['writeTransaction', 'writeRelaxed'] as const) {
      const write = database[name].bind(database);
      database[name] = async (statements) => {
        if (++count >= number) throw new Error('The process has ended.');
        await write(statements);
      };
    }
  }

  /** Waits until nothing is under way with a repo. */
  async rest(id: string): Promise<void> {
    await until(`the end of the update of ${id}`, async () => !(await this.cycles.isUpdating(id)));
  }

  /** Returns when all that was left undone is resumed. */
  async start(): Promise<void> {
    this.#runner.startKeeperJobs();
    await this.cycles.start();
    await this.cycles.resumed;
  }

  async stop(): Promise<void> {
    await this.#runner.stopKeeperJobs();
    await this.cycles.stop();
  }

  #repository(id: string): MemoryRepository {
    return this.repositories.getOrInsertComputed(id, () => new MemoryRepository());
  }

  #stored(fingerprint: string): StoredMaterial {
    const { revision: lastRevision, failure } = this.#repository(fingerprint);
    return { id: 1, fingerprint, type: 'git', description: '', directory: '', lastRevision, failure } as StoredMaterial;
  }
}

/** A material whose fingerprint is the id of the repo. */
function materialOf(id: string): Material {
  const written = writtenGit(`https://scm.example.org/${id}.git`);
  return {
    fingerprint: id,
    type: 'git',
    autoUpdate: true,
    written,
    definition: undefined,
    uses: [],
    configRepos: [id],
    toPoll: () => ({ type: 'git', fingerprint: id }),
  };
}
