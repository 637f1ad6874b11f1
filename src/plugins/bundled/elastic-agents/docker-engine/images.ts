// Pulls images into a Docker Engine.
import type { ClusterTools } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { truncate } from '../../../../kit/text/truncate.ts';
import { type ApiEndpoint, call } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { loginAt } from './registry-login.ts';

const PULL_TIMEOUT_MS = 15 * 60_000;
const MAX_REASON_LENGTH = 300;

export async function pullImage(image: string, endpoint: ApiEndpoint, cluster: SettingValues, tools: ClusterTools): Promise<void> {
  const { name, tag } = nameAndTag(image);
  const { text } = await call(
    endpoint,
    {
      method: 'POST',
      path: '/images/create',
      query: { fromImage: name, ...(tag !== undefined && { tag }) },
      headers: loginAt(cluster, image),
      timeoutMs: PULL_TIMEOUT_MS,
    },
    tools,
  );
  // The answer begins before the outcome is known: the failure stands in its last line.
  const failure = failureIn(text);
  if (failure !== undefined) throw new ClusterFailure(`The image ${image} cannot be pulled: ${truncate(failure, MAX_REASON_LENGTH)}`);
}

/** A colon after the last slash begins the tag; one before it is of the port of the registry. A digest stays with the name. */
export function nameAndTag(image: string): { readonly name: string; readonly tag?: string } {
  if (image.includes('@')) return { name: image };
  const colon = image.indexOf(':', image.lastIndexOf('/') + 1);
  return colon < 0 ? { name: image, tag: 'latest' } : { name: image.slice(0, colon), tag: image.slice(colon + 1) };
}

export function failureIn(progress: string): string | undefined {
  for (const line of progress.split('\n')) {
    if (!line.includes('"error')) continue;
    try {
      const { error } = JSON.parse(line) as { readonly error?: unknown };
      if (typeof error === 'string') return error;
    } catch {
      // a line that was cut off says nothing
    }
  }
  return undefined;
}
