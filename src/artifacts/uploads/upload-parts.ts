// The services that uploads need: the storage of the files, the rows of artifacts, and the free room.
import { Refusal } from '../../kit/refusal.ts';
import type { Artifacts } from '../../store/builds/artifacts.ts';
import type { Publications, PublishingJob } from '../publications.ts';
import type { ArtifactStorage } from '../storage/storage.ts';

export interface UploadParts {
  readonly storage: ArtifactStorage;
  readonly artifacts: Pick<Artifacts, 'find' | 'findAll' | 'hasAny'>;
  readonly publications: Pick<Publications, 'publish' | 'extend'>;
  /** The artifacts directory. */
  readonly root: () => string;
  /** How many bytes may still come, as of a moment ago. */
  readonly room: () => number;
  onFailure(failure: unknown, message: string): void;
}

export interface UploadTarget extends Omit<PublishingJob, 'epoch'> {
  /** Refuses where the job takes no files any more. */
  mustTake(): Promise<void>;
}

export const NO_ROOM = 'There is not enough space left on the disk of the artifacts.';

/** Stops where the disk runs full, before others have no room for their own files. */
export async function* withinRoom({ room }: Pick<UploadParts, 'room'>, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const piece of content) {
    if (room() < piece.length) throw new Refusal('tooLarge', NO_ROOM);
    yield piece;
  }
}
