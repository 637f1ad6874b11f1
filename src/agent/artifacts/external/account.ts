// The account by which AWS services and stores like them know the agent.
import type { Account } from '../../../kit/s3/sign.ts';
import { ExternalFailure } from './parts.ts';

/** That of the settings, or the one that the environment of the job names. */
export function accountOf(key: string, secret: string, environment: Readonly<Record<string, string>>): Account {
  if (key !== '' && secret !== '') return { accessKeyId: key, secretAccessKey: secret };
  const { AWS_ACCESS_KEY_ID: ownKey, AWS_SECRET_ACCESS_KEY: ownSecret, AWS_SESSION_TOKEN: token } = environment;
  if (ownKey && ownSecret) return { accessKeyId: ownKey, secretAccessKey: ownSecret, ...(token && { sessionToken: token }) };
  throw new ExternalFailure(
    'The artifact store has no access keys, and neither has the environment of the job (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY).',
  );
}
