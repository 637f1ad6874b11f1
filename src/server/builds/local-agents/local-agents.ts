// The agents that come with the server: processes of their own on its machine, as many as a setting says.
import { userInfo } from 'node:os';
import { markerOf } from '../../../agent/processes/process-tree.ts';
import type { AgentRegistry } from '../../../builds/agents/registry.ts';
import type { HealthMessages } from '../../../health/messages.ts';
import type { Log } from '../../../kit/log.ts';
import type { BackgroundWork } from '../../background.ts';
import type { Settings } from '../../settings.ts';
import { endAgent } from './end-agent.ts';
import { allowTraversal, forbidTraversal, workDirOf } from './folders.ts';
import { readRecord, recordedNumbers, removeRecord } from './record.ts';
import { type RunAs, runAs } from './run-as.ts';
import { runtimeFor } from './runtime.ts';
import type { ServerAddress } from './server-address.ts';
import { WatchedAgent } from './watched-agent.ts';

interface Parts {
  readonly settings: Pick<Settings, 'dataDir' | 'localAgents'>;
  readonly registry: Pick<AgentRegistry, 'isStarted' | 'issueOneTimeKey' | 'all'>;
  readonly health: HealthMessages;
  readonly log: Log;
}

const READS_FILES = 'local agents that can read the files of the server';
const NOT_STARTED = 'local agents that cannot be started';

export class LocalAgents {
  readonly #parts: Parts;
  readonly #agents: WatchedAgent[] = [];
  #server: ServerAddress | undefined;
  #isKeeper = false;
  #isStopping = false;
  #begun: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Of several servers on one database, only one that runs builds has them. Their jobs go on when another server takes over. */
  following(builds: BackgroundWork): BackgroundWork {
    return {
      start: async () => {
        await builds.start();
        this.#isKeeper = true;
        this.#begin();
      },
      stop: () => {
        this.#isKeeper = false;
        return builds.stop();
      },
    };
  }

  /** The server answers requests there. */
  serve(server: ServerAddress): void {
    this.#server = server;
    this.#begin();
  }

  /** When none of them runs any more, nor anything that they have started. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#begun;
    await Promise.all(this.#agents.map((agent) => agent.stop()));
  }

  #begin(): void {
    if (!this.#server || !this.#isKeeper || this.#isStopping) return;
    this.#begun ??= this.#start(this.#server).catch((failure: Error) => {
      const { health, log } = this.#parts;
      log.error({ err: failure }, 'local agents could not be started');
      health.raise(NOT_STARTED, 'ERROR', 'Local agents cannot be started', failure.message);
    });
  }

  async #start(server: ServerAddress): Promise<void> {
    const { settings, health, log } = this.#parts;
    const { dataDir, localAgents } = settings;
    const { count, user } = localAgents;
    await this.#endUnwanted(count);
    if (count === 0) return forbidTraversal(dataDir);
    const runner = runAs(user, dataDir);
    const { account } = runner;
    reportReadableFiles(health, runner, dataDir);
    allowTraversal(dataDir, account);
    const runtime = await runtimeFor(dataDir, account);
    if (this.#isStopping) return;
    for (let number = 1; number <= count; number++) {
      const agent = new WatchedAgent({
        number,
        dataDir,
        runtime,
        account,
        server,
        newKey: () => this.#newKey(),
        markersOf: (workDir) => this.#markersOf(workDir),
        health,
        log,
      });
      this.#agents.push(agent);
      agent.run();
    }
  }

  /** Of an earlier start that was to have more of them, and was killed. */
  async #endUnwanted(count: number): Promise<void> {
    const { dataDir } = this.#parts.settings;
    for (const number of recordedNumbers(dataDir).filter((one) => one > count)) {
      const found = readRecord(dataDir, number);
      if (found) await endAgent(found.holder, this.#markersOf(workDirOf(dataDir, number)));
      removeRecord(dataDir, number);
    }
  }

  /** A server that does not run builds now cannot give any; agents that have registered before need none. */
  #newKey(): string {
    const { registry } = this.#parts;
    return registry.isStarted ? registry.issueOneTimeKey({ local: true }) : '';
  }

  #markersOf(workDir: string): readonly string[] {
    const { registry } = this.#parts;
    const agents = registry.isStarted ? registry.all().filter(({ isLocal, sandbox }) => isLocal && sandbox === workDir) : [];
    return agents.map(({ uuid }) => markerOf(uuid));
  }
}

function reportReadableFiles(health: HealthMessages, runner: RunAs, dataDir: string): void {
  if (runner.account) {
    health.clear(READS_FILES);
    return;
  }
  const { username } = userInfo();
  health.raise(
    READS_FILES,
    'WARNING',
    'Builds can read the files of this server',
    `Local agents run as the user of the server (${username}), so every job can read ${dataDir} and the secrets in it. ${runner.why} To separate them, run agents on other machines or as another user and set SLIPWAY_LOCAL_AGENTS=0, or start the server as root, with a data directory that SLIPWAY_LOCAL_AGENT_USER gets to.`,
  );
}
