// A valid body of each resource, and a way to make it differ: the common suite works with these.
import { registry } from '../../src/resources/index.ts';
import { type Kind, kindsOf } from '../../src/shape/resource.ts';

export interface Sample {
  /** The n-th body for the same entity; each n differs from the others. */
  body(n: number): Record<string, unknown>;
  /** Secrets that body(n) sends in clear. */
  secrets(n: number): readonly string[];
}

const secret = (n: number) => `not-to-be-seen-${n}-f81d`;

export const samples: Readonly<Record<keyof typeof registry, Sample>> = {
  artifactStores: {
    body: (n) => ({
      id: 'sample',
      plugin_id: 'cd.go.artifact.s3',
      properties: [
        { key: 'S3Bucket', value: `bucket-${n}` },
        { key: 'AWSAccessKey', value: 'key' },
        { key: 'AWSSecretAccessKey', value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  authConfigs: {
    body: (n) => ({
      id: 'sample',
      plugin_id: 'some.other.plugin',
      allow_only_known_users_to_login: n % 2 === 0,
      properties: [
        { key: 'Url', value: `ldap://host-${n}` },
        { key: 'BindPassword', value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  environments: {
    body: (n) => ({
      name: 'sample',
      pipelines: [],
      environment_variables: [
        { name: 'COUNT', value: String(n) },
        { name: 'KEY', secure: true, value: secret(n) },
      ],
    }),
    secrets: (n) => [secret(n)],
  },
  mailServer: {
    body: (n) => ({
      hostname: `smtp-${n}.example.org`,
      port: 25,
      username: 'me',
      password: secret(n),
      sender_email: 'cd@example.org',
      admin_email: 'ops@example.org',
    }),
    secrets: (n) => [secret(n)],
  },
  pipelineGroups: {
    body: (n) => ({ name: 'sample', authorization: { view: { users: [`user-${n}`], roles: [] } } }),
    secrets: () => [],
  },
  roles: {
    body: (n) => ({
      name: 'sample',
      type: 'svc',
      policy: [{ permission: 'allow', action: 'view', type: 'environment', resource: `e-${n}` }],
      attributes: { users: ['jez'] },
    }),
    secrets: () => [],
  },
  systemAdmins: { body: (n) => ({ roles: [], users: ['admin', `user-${n}`] }), secrets: () => [] },
};

export const kinds: readonly (Kind & { readonly sample: Sample })[] = kindsOf(registry).map((kind) => ({
  ...kind,
  sample: samples[kind.name as keyof typeof registry],
}));
