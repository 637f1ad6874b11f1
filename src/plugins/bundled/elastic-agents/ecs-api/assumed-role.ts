// Lends the account of a role for a while, from the AWS Security Token Service.
import type { ClusterTools } from '../../../../contracts/plugins/elastic-agent.ts';
import { tagged } from '../../../../kit/s3/answers.ts';
import { type Account, signerFor } from '../../../../kit/s3/sign.ts';
import { call } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { refusalKind } from './ecs-answers.ts';
import { type Environment, endpointOf } from './ecs-endpoint.ts';

interface TemporaryAccount {
  readonly account: Account;
  readonly until: number;
}

/** It is lent anew before requests that are under way could be refused. */
const EARLY_MS = 5 * 60_000;
const MAX_LENT = 100;
const SESSION_NAME = 'slipway';

const lent = new Map<string, TemporaryAccount>();

export async function assumedRole(
  roleArn: string,
  own: Account,
  region: string,
  environment: Environment,
  tools: ClusterTools,
): Promise<Account> {
  const key = JSON.stringify([roleArn, own.accessKeyId, own.secretAccessKey, own.sessionToken, region]);
  const known = lent.get(key);
  if (known && known.until > Date.now()) return known.account;
  const fresh = await assume(roleArn, own, region, environment, tools);
  if (lent.size >= MAX_LENT) lent.clear();
  lent.set(key, fresh);
  return fresh.account;
}

async function assume(
  roleArn: string,
  own: Account,
  region: string,
  environment: Environment,
  tools: ClusterTools,
): Promise<TemporaryAccount> {
  const endpoint = endpointOf('sts', region, environment);
  const query = { Action: 'AssumeRole', Version: '2011-06-15', RoleArn: roleArn, RoleSessionName: SESSION_NAME };
  const url = new URL(endpoint.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = { accept: 'application/xml' };
  const signed = await signerFor(own, region, 'sts')({ method: 'GET', url: url.href, headers, content: Buffer.alloc(0) });
  const { status, text } = await call(
    endpoint,
    { method: 'GET', path: '/', query, headers: signed.headers, alsoWanted: [400, 403] },
    tools,
  );
  const tags = { accessKeyId: 'AccessKeyId', secretAccessKey: 'SecretAccessKey', sessionToken: 'SessionToken' };
  const [accessKeyId, secretAccessKey, sessionToken] = Object.values(tags).map((tag) => tagged(text, tag));
  const until = Date.parse(tagged(text, 'Expiration') ?? '');
  if (status !== 200 || !accessKeyId || !secretAccessKey || !sessionToken || Number.isNaN(until)) {
    // Nothing but the code is repeated: an answer may hold the keys.
    const code = tagged(text, 'Code');
    throw new ClusterFailure(`The role of AWSAssumeRoleArn was not lent: ${code === undefined ? `status ${status}` : refusalKind(code)}.`);
  }
  return { account: { accessKeyId, secretAccessKey, sessionToken }, until: until - EARLY_MS };
}
