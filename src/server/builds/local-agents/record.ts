// The record of a local agent, for the case that the server is killed: its process, and the settings it was started with.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Holder, holderIn, isRunning } from '../../../agent/work-dir/lock.ts';
import { agentsFolder } from './folders.ts';

/** In a folder that the user of the agent cannot write to: only the server itself says which process it ends. */
export interface AgentRecord {
  readonly holder: Holder;
  /** The agent is of use only if the server would start it in the same way. */
  readonly settings: string;
}

const MODE = 0o600;

export function writeRecord(dataDir: string, number: number, { holder, settings }: AgentRecord): void {
  // It need not outlast a crash of the machine: the process does not either.
  writeFileSync(fileOf(dataDir, number), JSON.stringify({ ...holder, told: settings }), { mode: MODE });
}

/** Of an agent that runs. */
export function readRecord(dataDir: string, number: number): AgentRecord | undefined {
  try {
    const text = readFileSync(fileOf(dataDir, number), 'utf8');
    const holder = holderIn(text);
    if (!holder || !isRunning(holder)) return undefined;
    const { told: settings } = JSON.parse(text) as { readonly told?: unknown };
    return { holder, settings: String(settings) };
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}

export function removeRecord(dataDir: string, number: number): void {
  rmSync(fileOf(dataDir, number), { force: true });
}

/** The numbers of all agents that there were. */
export function recordedNumbers(dataDir: string): number[] {
  try {
    return readdirSync(agentsFolder(dataDir)).flatMap((name) => {
      const [, number] = /^local-(\d+)\.json$/.exec(name) ?? [];
      return number === undefined ? [] : [Number(number)];
    });
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw failure;
  }
}

function fileOf(dataDir: string, number: number): string {
  return join(agentsFolder(dataDir), `local-${number}.json`);
}
