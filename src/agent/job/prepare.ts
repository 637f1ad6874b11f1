// Prepares the folder of a pipeline for a job: emptied if the stage wants that, and with its materials at their revisions.
import { mkdirSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import type { Work, WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import type { CheckoutContext } from '../checkout/check-out.ts';
import type { JobConsole } from '../console/job-console.ts';
import { TAGS } from '../console/tags.ts';
import { MARKER } from '../processes/process-tree.ts';
import { destinationIn } from '../task/contained-paths.ts';
import { emptyFolder, makeFolder, removeAll, unknownFolders } from './pipeline-folder.ts';

export type CheckOut = (material: WorkMaterial, context: CheckoutContext) => Promise<void>;

export interface PrepareContext {
  readonly pipelineFolder: string;
  readonly cacheFolder: string;
  readonly console: JobConsole;
  readonly signal: AbortSignal;
  readonly checkOut: CheckOut;
  /** By which the processes of this agent are found, also when it is killed. */
  readonly marker: string;
}

/** Rejects with a sentence for the console, or with a failure of the disk. */
export async function prepare(work: Work, context: PrepareContext): Promise<void> {
  const { pipelineFolder, console, signal } = context;
  await makeFolder(pipelineFolder);
  if (work.clean_working_directory) {
    console.notice(TAGS.prepare, `Cleaning working directory "${pipelineFolder}", because the stage is configured to do so.`);
    await emptyFolder(pipelineFolder);
  }
  if (!work.fetch_materials || signal.aborted) return;
  console.notice(TAGS.notice, 'Start to update materials.');
  await removeUnknownFolders(work, context);
  mkdirSync(context.cacheFolder, { recursive: true });
  for (const material of outerFirst(work.materials)) {
    if (signal.aborted) return;
    await checkOutMaterial(material, work.materials, context);
  }
}

async function removeUnknownFolders({ materials }: Work, { pipelineFolder, console }: PrepareContext): Promise<void> {
  const destinations = materials.map(({ destination }) => destination);
  for (const folder of unknownFolders(pipelineFolder, destinations)) {
    console.notice(TAGS.prepare, `Removing folder "${folder}", which belongs to no material.`);
    await removeAll(join(pipelineFolder, folder));
  }
}

async function checkOutMaterial(
  material: WorkMaterial,
  all: readonly WorkMaterial[],
  { pipelineFolder, cacheFolder, console, signal, checkOut, marker }: PrepareContext,
): Promise<void> {
  const { destination, revision, description } = material;
  const target = destination === null ? '' : ` in "${destination}"`;
  console.notice(TAGS.prepare, `Start updating ${description}${target} at revision ${revision}.`);
  if (destination !== null) destinationIn(pipelineFolder, destination);
  await checkOut(material, {
    pipelineFolder,
    cacheFolder,
    signal,
    otherDestinations: all.flatMap((other) => (other === material || other.destination === null ? [] : [other.destination])),
    environment: { [MARKER]: marker },
    out: (line) => console.line(TAGS.prepare, line),
    err: (line) => console.line(TAGS.prepareError, line),
  });
  console.notice(TAGS.prepare, 'Done.');
}

/** One destination may lie within another: the outer one is checked out before. */
function outerFirst<M extends Pick<WorkMaterial, 'destination'>>(materials: readonly M[]): readonly M[] {
  return materials.toSorted((one, other) => depthOf(one.destination) - depthOf(other.destination));
}

function depthOf(destination: string | null): number {
  const path = normalize(destination ?? '.').replace(/[/\\]$/, '');
  return path === '.' ? 0 : path.split(sep).length;
}
