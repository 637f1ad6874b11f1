// A run of a stage, as far as its artifacts are concerned, and where they lie.

export interface StageIdentifier {
  readonly pipeline: string;
  readonly pipelineCounter: number;
  readonly stage: string;
  readonly stageCounter: number;
}

/** Has the console, among others. */
export const OUTPUT_FOLDER = 'cruise-output';

/** The folders of the job that the server itself writes: the console log and the metadata that plugins return for their artifacts. */
export const KEPT_FOLDERS: readonly string[] = [OUTPUT_FOLDER, 'pluggable-artifact-metadata'];

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/** A job of a stage run, with the names as they were written when it ran: its console and artifacts are in a folder of this path. */
export interface JobIdentifier extends StageIdentifier {
  readonly job: string;
}

/** Whether it is the name of one folder, and of no other place. */
export function isFolderName(name: string): boolean {
  return NAME.test(name);
}

/** The parts of its path below the artifacts directory; undefined when a name could lead elsewhere. */
export function folderOf({ pipeline, pipelineCounter, stage, stageCounter }: StageIdentifier): readonly string[] | undefined {
  const isCounter = (value: number) => Number.isSafeInteger(value) && value > 0;
  if (!isFolderName(pipeline) || !isFolderName(stage) || !isCounter(pipelineCounter) || !isCounter(stageCounter)) return undefined;
  return ['pipelines', pipeline, String(pipelineCounter), stage, String(stageCounter)];
}

/** The parts of its path below the folder of copies that were made for downloads. */
export function cacheFolderOf(stage: StageIdentifier): readonly string[] | undefined {
  const folder = folderOf(stage);
  return folder && ['cache', 'artifacts', ...folder];
}
