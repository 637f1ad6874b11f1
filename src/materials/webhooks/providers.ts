// The hosting services that send webhooks: how each authenticates itself, and how its payload is read.
import { isEqualTimingSafe } from '../../kit/bytes/timing-safe-equal.ts';
import { isSigned } from './proof.ts';
import { bitbucketPush, githubPush, gitlabPush, hostedBitbucketPush, ignoredGithubAction, type Push } from './push.ts';

export interface WebhookCall {
  header(name: string): string | undefined;
  /** The texts that may have been signed. */
  readonly texts: readonly Uint8Array[];
}

export interface Provider {
  readonly name: string;
  readonly title: string;
  readonly eventHeader: string;
  readonly pushEvent: string;
  readonly pingEvent?: string;
  /** The events about pull requests, which concern config repos. */
  readonly reviewEvents: readonly string[];
  /** A header that carries the proof, its description, and whether it is the whole proof: others go with the body. */
  readonly proof: { readonly header: string; readonly about: string; readonly isWhole?: boolean };
  readonly takesForms?: boolean;
  /** The problem with the proof; undefined: the sender is authentic. */
  refusalOf(call: WebhookCall, secret: string): string | undefined;
  pushOf(payload: unknown): Push;
  /** The action on a pull request, if this server ignores it. */
  ignoredReview?(payload: unknown): string | undefined;
}

const SIGNATURE = 'X-Hub-Signature';
export const NO_SIGNATURE = `No HMAC signature specified via '${SIGNATURE}' header!`;
const WRONG_SIGNATURE = `HMAC signature specified via '${SIGNATURE}' did not match!`;
export const NO_GITLAB_TOKEN = "No token specified in the 'X-Gitlab-Token' header!";
export const NO_BASIC_TOKEN = 'No token specified via basic authentication!';
const HOSTED_PING = 'diagnostics:ping';

export const PROVIDERS: readonly Provider[] = [
  {
    name: 'github',
    title: 'GitHub',
    eventHeader: 'X-GitHub-Event',
    pushEvent: 'push',
    pingEvent: 'ping',
    reviewEvents: ['pull_request'],
    proof: { header: SIGNATURE, about: '`sha1=` and the HMAC-SHA1 of the payload, made with the webhook secret of this server.' },
    takesForms: true,
    refusalOf: (call, secret) => signatureProblem(call, 'sha1', secret),
    pushOf: githubPush,
    ignoredReview: ignoredGithubAction,
  },
  {
    name: 'gitlab',
    title: 'GitLab',
    eventHeader: 'X-Gitlab-Event',
    pushEvent: 'Push Hook',
    reviewEvents: ['Merge Request Hook'],
    proof: { header: 'X-Gitlab-Token', about: 'The webhook secret of this server.', isWhole: true },
    refusalOf: ({ header }, secret) => {
      const token = header('x-gitlab-token');
      if (!token) return NO_GITLAB_TOKEN;
      return isEqualTimingSafe(token, secret) ? undefined : "Token specified in the 'X-Gitlab-Token' header did not match!";
    },
    pushOf: gitlabPush,
  },
  {
    name: 'bitbucket',
    title: 'Bitbucket Cloud',
    eventHeader: 'X-Event-Key',
    pushEvent: 'repo:push',
    reviewEvents: ['pullrequest:created', 'pullrequest:fulfilled', 'pullrequest:rejected'],
    proof: {
      header: 'Authorization',
      about: 'Basic authentication; the user name is the webhook secret of this server.',
      isWhole: true,
    },
    refusalOf: ({ header }, secret) => {
      const [, encoded] = /^basic +(\S+)$/i.exec(header('authorization') ?? '') ?? [];
      const [token] = Buffer.from(encoded ?? '', 'base64')
        .toString('utf8')
        .split(':', 1);
      if (!token) return NO_BASIC_TOKEN;
      return isEqualTimingSafe(token, secret) ? undefined : 'Token specified via basic authentication did not match!';
    },
    pushOf: bitbucketPush,
  },
  {
    name: 'hosted_bitbucket',
    title: 'Bitbucket Server',
    eventHeader: 'X-Event-Key',
    pushEvent: 'repo:refs_changed',
    reviewEvents: ['pr:opened', 'pr:merged', 'pr:declined', 'pr:delete'],
    pingEvent: HOSTED_PING,
    proof: { header: SIGNATURE, about: '`sha256=` and the HMAC-SHA256 of the body, made with the webhook secret of this server.' },
    // Its pings are not signed.
    refusalOf: (call, secret) => (call.header('x-event-key') === HOSTED_PING ? undefined : signatureProblem(call, 'sha256', secret)),
    pushOf: hostedBitbucketPush,
  },
];

function signatureProblem({ header, texts }: WebhookCall, algorithm: 'sha1' | 'sha256', secret: string): string | undefined {
  const signature = header(SIGNATURE.toLowerCase());
  if (!signature) return NO_SIGNATURE;
  return isSigned(signature, algorithm, secret, texts) ? undefined : WRONG_SIGNATURE;
}
