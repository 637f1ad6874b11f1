// Calls of the JSON interface of Amazon ECS, signed with the account of the cluster profile.
import type { ClusterTools } from '../../../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { signerFor } from '../../../../kit/s3/sign.ts';
import { truncate } from '../../../../kit/text/truncate.ts';
import { readText } from '../../../setting-values.ts';
import { call, jsonOf } from '../calls/api-call.ts';
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { type Members, objectIn, textIn } from '../calls/read-answer.ts';
import { assumedRole } from './assumed-role.ts';
import { refusalKind } from './ecs-answers.ts';
import { accountIn, endpointOf, regionOf } from './ecs-endpoint.ts';

type Action = 'DescribeTaskDefinition' | 'DescribeTasks' | 'ListTasks' | 'RegisterTaskDefinition' | 'RunTask' | 'StopTask';

/** The status of every refusal of the service. */
const REFUSED = 400;
const MAX_REASON_LENGTH = 300;

/** The service has refused a request. */
export class EcsRefusal extends ClusterFailure {
  /** Such as `ClusterNotFoundException`. */
  readonly kind: string;

  constructor(message: string, kind: string) {
    super(message, REFUSED);
    this.kind = kind;
  }
}

/** Throws EcsRefusal if the service refuses the request. */
export async function ecsCall(action: Action, body: object, cluster: SettingValues, tools: ClusterTools): Promise<Members> {
  const region = regionOf(cluster, process.env);
  const endpoint = endpointOf('ecs', region, process.env);
  const own = accountIn(cluster, process.env);
  const role = readText(cluster, 'AWSAssumeRoleArn').trim();
  const account = role === '' ? own : await assumedRole(role, own, region, process.env, tools);
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AmazonEC2ContainerServiceV20141113.${action}`,
  };
  const content = Buffer.from(JSON.stringify(body));
  const signed = await signerFor(account, region, 'ecs')({ method: 'POST', url: endpoint.url.href, headers, content });
  const answer = await call(endpoint, { method: 'POST', path: '/', body, headers: signed.headers, alsoWanted: [REFUSED] }, tools);
  const read = objectIn(jsonOf(answer, endpoint));
  if (answer.status === REFUSED) throw refusalIn(action, read);
  return read;
}

function refusalIn(action: Action, { __type, message, Message }: Members): EcsRefusal {
  const kind = refusalKind(__type);
  const text = truncate((textIn(message) ?? textIn(Message) ?? '').trim().replace(/\s+/g, ' '), MAX_REASON_LENGTH);
  return new EcsRefusal(`Amazon ECS refused ${action}: ${kind}${text === '' ? '' : `, ${text}`}`, kind);
}
