// The login to a registry of Amazon ECR, which is good for some hours.
import { openRequest, textOf } from '../../../kit/s3/request.ts';
import { signerFor } from '../../../kit/s3/sign.ts';
import { accountOf } from './account.ts';
import { objectIn } from './metadata.ts';
import { type ExternalContext, ExternalFailure } from './parts.ts';
import type { Settings } from './settings.ts';

const TARGET = 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken';
const MAX_REQUEST_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export interface RegistryLogin {
  readonly registry: string;
  readonly username: string;
  readonly password: string;
}

export async function ecrLogin(store: Settings, { environment, signal }: ExternalContext): Promise<RegistryLogin> {
  const region = store.text('AWSRegion');
  const account = accountOf(store.text('AWSAccessKeyId'), store.exact('AWSSecretAccessKey'), environment);
  // As AWS' own programs do.
  const url = environment.AWS_ENDPOINT_URL_ECR || `https://api.ecr.${region}.amazonaws.com/`;
  const content = Buffer.from(JSON.stringify({ registryIds: [store.text('RegistryID')] }));
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': TARGET };
  const signed = await signerFor(account, region, 'ecr')({ method: 'POST', url, headers, content });
  const ends = AbortSignal.any([signal, AbortSignal.timeout(MAX_REQUEST_MS)]);
  try {
    const answer = await openRequest({ method: 'POST', ...signed, content, signal: ends });
    return loginIn(answer.statusCode ?? 0, await textOf(answer, MAX_ANSWER_BYTES));
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof ExternalFailure) throw failure;
    throw new ExternalFailure(`${new URL(url).origin} cannot be reached: ${(failure as Error).message}`);
  }
}

/** Nothing of an answer is repeated but the kind of its failure: it may hold the login. */
function loginIn(status: number, text: string): RegistryLogin {
  const answer = objectIn(text);
  if (status !== 200) {
    const kind = typeof answer?.__type === 'string' ? ` ${answer.__type.slice(0, 100)}` : '';
    throw new ExternalFailure(`Amazon ECR gave no login. It answered ${status}${kind}.`);
  }
  const [data] = Array.isArray(answer?.authorizationData) ? answer.authorizationData : [];
  const { authorizationToken: token, proxyEndpoint: registry } = objectIn(JSON.stringify(data ?? null)) ?? {};
  const [, username, password] = /^([^:]+):(.+)$/s.exec(Buffer.from(String(token ?? ''), 'base64').toString('utf8')) ?? [];
  if (!username || !password || typeof registry !== 'string' || !registry.startsWith('http'))
    throw new ExternalFailure('Amazon ECR gave no login.');
  return { registry, username, password };
}
