// Where a Docker Engine answers, as the settings of a cluster say it.
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { readText } from '../../../setting-values.ts';
import type { ApiEndpoint } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';

const SOCKET = /^unix:\/\/(\/[^\0]+)$/;
const TCP = /^(?:tcp|https?):\/\//i;

export function dockerEndpoint(cluster: SettingValues): ApiEndpoint {
  const uri = readText(cluster, 'docker_uri').trim();
  const [, socketPath] = SOCKET.exec(uri) ?? [];
  if (socketPath !== undefined) return { socketPath, url: new URL('http://localhost/') };
  const [ca, cert, key] = ['docker_ca_cert', 'docker_client_cert', 'docker_client_key'].map(
    (name) => readText(cluster, name).trim() || undefined,
  );
  const isSecure = ca !== undefined || cert !== undefined || key !== undefined;
  const url = TCP.test(uri) ? URL.parse(uri.replace(/^tcp:/i, isSecure ? 'https:' : 'http:')) : null;
  if (!url)
    throw new ClusterFailure(
      'docker_uri of the cluster profile must be such as unix:///var/run/docker.sock or tcp://docker.example.org:2376.',
    );
  return { url, tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } };
}
