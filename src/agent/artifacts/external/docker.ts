// Pushes images to a Docker registry and pulls them from there, by the program docker.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ExternalArtifact } from '../../../contracts/agent-protocol/work.ts';
import { destinationIn } from '../../task/contained-paths.ts';
import { withDocker } from './docker-program.ts';
import { objectIn } from './metadata.ts';
import { ExternalFailure, type ExternalPlugin, type FetchContext, type Metadata, type PublishContext } from './parts.ts';
import { Settings } from './settings.ts';

const DEFAULT_TAG = 'latest';
const MAX_BUILD_FILE_BYTES = 64 * 1024;
/** No word that the program could take for an option, and nothing that is no image. */
const IMAGE = /^[a-zA-Z0-9][\w.\-:/]{0,500}$/;
const TAG = /^\w[\w.-]{0,127}$/;
const PREFIX = /^[a-zA-Z][a-zA-Z0-9_]*$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export const dockerRegistry: ExternalPlugin = { publish: pushImage, fetch: pullImage };

async function pushImage({ store, configuration }: ExternalArtifact, context: PublishContext): Promise<Metadata> {
  const image = await imageOf(new Settings(configuration), context);
  return withDocker(new Settings(store), context, async (docker) => {
    context.out(`Pushing docker image "${image}".`);
    await docker.run(['push', image]);
    const digest = digestIn(await docker.output(['image', 'inspect', '--format', '{{json .RepoDigests}}', image]), image);
    context.out(`Docker image "${image}" was pushed${digest === undefined ? '' : ` with the digest ${digest}`}.`);
    return { image, ...(digest && { digest }) };
  });
}

async function pullImage({ store, configuration }: ExternalArtifact, metadata: Metadata, context: FetchContext): Promise<void> {
  const { image } = metadata;
  if (typeof image !== 'string' || !IMAGE.test(image))
    throw new ExternalFailure('What the server knows of the artifact names no docker image.');
  const settings = new Settings(configuration);
  if (settings.isTrue('SkipImagePulling')) context.out(`The docker image "${image}" is not pulled, as the task says.`);
  else
    await withDocker(new Settings(store), context, async (docker) => {
      context.out(`Pulling docker image "${image}".`);
      await docker.run(['pull', image]);
    });
  const prefix = settings.text('EnvironmentVariablePrefix');
  if (prefix !== '' && !PREFIX.test(prefix)) throw new ExternalFailure(`"${prefix}" cannot begin the name of an environment variable.`);
  context.setVariable(prefix === '' ? 'ARTIFACT_IMAGE' : `${prefix}_ARTIFACT_IMAGE`, image);
}

/** With its tag. */
async function imageOf(settings: Settings, context: PublishContext): Promise<string> {
  const file = settings.resolved('BuildFile', context);
  const { image, tag } =
    file === ''
      ? { image: settings.resolved('Image', context), tag: settings.resolved('Tag', context) || DEFAULT_TAG }
      : await imageInFile(file, context);
  const isImage = typeof image === 'string' && IMAGE.test(image);
  if (isImage && typeof tag === 'string' && TAG.test(tag)) return `${image}:${tag}`;
  const where = file === '' ? 'The settings' : `The build file "${file}"`;
  throw new ExternalFailure(`${where} must name an image and its tag, such as "registry.example.com/shop/web" and "1.2".`);
}

async function imageInFile(
  file: string,
  { pipelineFolder }: PublishContext,
): Promise<{ readonly image?: unknown; readonly tag?: unknown }> {
  const path = destinationIn(pipelineFolder, file);
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((failure: NodeJS.ErrnoException) => {
    throw new ExternalFailure(`The build file "${file}" cannot be read: ${failure.code}.`);
  });
  try {
    const facts = await handle.stat();
    const text = facts.isFile() && facts.size <= MAX_BUILD_FILE_BYTES ? await handle.readFile('utf8') : '';
    const content = objectIn(text);
    if (!content) throw new ExternalFailure(`The build file "${file}" is no JSON object with "image" and "tag".`);
    const { image, tag = DEFAULT_TAG } = content;
    return { image, tag };
  } finally {
    await handle.close();
  }
}

/** An image can have been pushed to several registries. */
function digestIn(printed: string, image: string): string | undefined {
  const repository = image.slice(0, image.lastIndexOf(':'));
  const all = objectIn(`{"digests": ${printed.trim() || 'null'}}`)?.digests;
  const known = Array.isArray(all) ? all.filter((one) => typeof one === 'string') : [];
  const digest = known.find((one) => one.startsWith(`${repository}@`))?.slice(repository.length + 1);
  return digest !== undefined && DIGEST.test(digest) ? digest : undefined;
}
