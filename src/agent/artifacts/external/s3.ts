// Publishes files to a bucket of an S3-compatible store, and fetches them from there.
import { posix } from 'node:path';
import type { ExternalArtifact } from '../../../contracts/agent-protocol/work.ts';
import { S3Client, withoutLastSlashes } from '../../../kit/s3/client.ts';
import { pluralize } from '../../../kit/text/pluralize.ts';
import { Progress } from '../progress.ts';
import { accountOf } from './account.ts';
import {
  type ExternalContext,
  ExternalFailure,
  type ExternalPlugin,
  type FetchContext,
  type Metadata,
  type PublishContext,
} from './parts.ts';
import { receiveFile, sendFile, type Transfer } from './s3-file.ts';
import { Settings } from './settings.ts';

const DEFAULT_REGION = 'us-east-1';
/** Of more files only their folder is kept, and a fetch asks the store for their names. */
const MAX_NAMED = 10_000;

export const s3: ExternalPlugin = { publish: (artifact, context) => publishS3(artifact, context), fetch: fetchS3 };

export async function publishS3(artifact: ExternalArtifact, context: PublishContext, mostNamed = MAX_NAMED): Promise<Metadata> {
  const settings = new Settings(artifact.configuration);
  const bucket = new Settings(artifact.store).shown('S3Bucket');
  const client = clientOf(artifact, bucket, context);
  const key = keyOf(settings.resolved('Destination', context));
  const source = settings.resolved('Source', context);
  const files: string[] = [];
  let count = 0;
  await withProgress('Pushed', context, async (transfer) => {
    for await (const file of context.files(source)) {
      context.signal.throwIfAborted();
      await sendFile(client, posix.join(key, file.path), file, transfer);
      if (++count <= mostNamed) files.push(file.path);
    }
  });
  if (count === 0) throw new ExternalFailure(`Failed to find ${source}`);
  context.out(`Source "${source}" was pushed to the S3 bucket "${bucket}": ${pluralize(count, 'file')} in "${key || '/'}".`);
  return { bucket, key, ...(count <= mostNamed && { files }) };
}

async function fetchS3(artifact: ExternalArtifact, metadata: Metadata, context: FetchContext): Promise<void> {
  const { bucket, key, files } = publishedIn(metadata);
  const settings = new Settings(artifact.configuration);
  const client = clientOf(artifact, bucket, context);
  const subPath = keyOf(settings.text('SubPath'));
  const destination = settings.text('Destination');
  const wanted = settings.isTrue('IsFile') ? [oneFile(subPath, files)] : undefined;
  let count = 0;
  await withProgress('Fetched', context, async (transfer) => {
    for await (const path of wanted ?? filesBelow(subPath, { client, key, files })) {
      const name = wanted ? posix.basename(path) : path.slice(subPath.lastIndexOf('/') + 1);
      await receiveFile(client, posix.join(key, path), context.target(destination, name), transfer);
      count++;
    }
  });
  if (count === 0) throw new ExternalFailure(`The S3 bucket "${bucket}" has nothing at "${posix.join(key, subPath)}".`);
  context.out(`Fetched ${pluralize(count, 'file')} from "${posix.join(key, subPath)}" in the S3 bucket "${bucket}".`);
}

/** A job that says nothing for long is taken for dead. */
async function withProgress(verb: string, { signal, out }: ExternalContext, work: (transfer: Transfer) => Promise<void>): Promise<void> {
  const progress = new Progress(verb, out);
  try {
    await work({ signal, onBytes: (bytes) => progress.passed(bytes) });
  } finally {
    progress.stop();
  }
}

function clientOf({ store }: ExternalArtifact, name: string, { environment, signal }: ExternalContext): S3Client {
  const settings = new Settings(store);
  const account = accountOf(settings.text('AWSAccessKey'), settings.exact('AWSSecretAccessKey'), environment);
  const region = settings.text('Region') || environment.AWS_REGION || DEFAULT_REGION;
  const endpoint = settings.text('Endpoint') || `https://s3.${region}.amazonaws.com`;
  return new S3Client({ ...account, endpoint, name, region }, { signal });
}

/** Steps up and empty parts would name another object than they seem to. */
function keyOf(path: string): string {
  const key = withoutLastSlashes(path.replaceAll('\\', '/').replace(/^\/+/, ''));
  if (key.split('/').some((part) => part === '..')) throw new ExternalFailure(`"${path}" leads out of the bucket.`);
  return key === '' ? '' : withoutLastSlashes(posix.normalize(key).replace(/^\.$/, ''));
}

interface PublishedObject {
  readonly bucket: string;
  readonly key: string;
  readonly files: readonly string[] | undefined;
}

function publishedIn({ bucket, key, files }: Metadata): PublishedObject {
  const isList = files === undefined || (Array.isArray(files) && files.every((one) => typeof one === 'string'));
  if (typeof bucket !== 'string' || typeof key !== 'string' || !isList)
    throw new ExternalFailure('What the server knows of the artifact is not what the S3 plugin says.');
  return { bucket, key: keyOf(key), files: files as readonly string[] | undefined };
}

function oneFile(subPath: string, files: readonly string[] | undefined): string {
  if (subPath !== '') return subPath;
  const [only, ...others] = files ?? [];
  if (only === undefined || others.length > 0)
    throw new ExternalFailure('The artifact has several files: the setting "SubPath" has to say which one is fetched.');
  return only;
}

interface S3Artifact {
  readonly client: S3Client;
  readonly key: string;
  readonly files: readonly string[] | undefined;
}

/** Paths below the key of the artifact: those that were published, or all that are there. */
async function* filesBelow(subPath: string, { client, key, files }: S3Artifact): AsyncGenerator<string> {
  const isBelow = (path: string) => subPath === '' || path === subPath || path.startsWith(`${subPath}/`);
  if (files) {
    yield* files.filter(isBelow);
    return;
  }
  const start = key === '' ? '' : `${key}/`;
  for await (const page of client.list(`${start}${subPath}`)) {
    const paths = page.map((object) => object.key.slice(start.length));
    // Some programs keep an empty object for a folder.
    yield* paths.filter((path) => path !== '' && !path.endsWith('/') && isBelow(path));
  }
}
