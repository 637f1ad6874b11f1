// Where the interface of Amazon ECS answers for a cluster profile, and the account that asks.
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import type { Account } from '../../../../kit/s3/sign.ts';
import { readText } from '../../../setting-values.ts';
import type { ApiEndpoint } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
type Service = 'ecs' | 'sts';

/** That of the settings, or the one of the server itself. */
export function regionOf(cluster: SettingValues, environment: Environment): string {
  const region = readText(cluster, 'AWSRegion').trim() || environment.AWS_REGION || environment.AWS_DEFAULT_REGION || '';
  if (region === '') throw new ClusterFailure('AWSRegion of the cluster profile is not set, and neither is AWS_REGION of the server.');
  if (!/^[a-z0-9-]+$/.test(region)) throw new ClusterFailure(`AWSRegion of the cluster profile is no region: '${region}'.`);
  return region;
}

/** As AWS' own programs do, `AWS_ENDPOINT_URL_ECS` says another one, such as that of a private network. */
export function endpointOf(service: Service, region: string, environment: Environment): ApiEndpoint {
  const other = environment[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] || environment.AWS_ENDPOINT_URL;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = URL.parse(other || `https://${service}.${region}.${domain}/`);
  if (!url || !/^https?:$/.test(url.protocol)) throw new ClusterFailure(`AWS_ENDPOINT_URL_${service.toUpperCase()} is no address.`);
  return { url };
}

/** The keys of the settings, or those that the server was started with. */
export function accountIn(cluster: SettingValues, environment: Environment): Account {
  const [key, secret] = [readText(cluster, 'AWSAccessKeyId').trim(), readText(cluster, 'AWSSecretAccessKey').trim()];
  if (key !== '' && secret !== '') return { accessKeyId: key, secretAccessKey: secret };
  const { AWS_ACCESS_KEY_ID: ownKey, AWS_SECRET_ACCESS_KEY: ownSecret, AWS_SESSION_TOKEN: token } = environment;
  if (ownKey && ownSecret) return { accessKeyId: ownKey, secretAccessKey: ownSecret, ...(token && { sessionToken: token }) };
  throw new ClusterFailure(
    'The cluster profile has no AWSAccessKeyId, and the server was started without AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  );
}
