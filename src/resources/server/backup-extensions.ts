// Backup extensions: how long backups stay, where they are copied to, and how long the script may run. The backup config itself knows nothing of it.

import { describedBy, type FieldDescription } from '../../shape/described.ts';
import { type Field, plainField } from '../../shape/field.ts';
import { group, optionalText } from '../../shape/fields.ts';
import { readText, readWhole } from '../../shape/json/reading.ts';
import { singletonMessages } from '../../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';
import { originOf } from '../../shape/secrets/destination.ts';
import { secretText } from '../../shape/secrets/secret-text.ts';

const DEFAULT_SCRIPT_MINUTES = 60;
const MAX_SCRIPT_MINUTES = 7 * 24 * 60;
const DEFAULT_REGION = 'us-east-1';
const NO_RETENTION = { keepLast: null, keepDays: null };
const NO_BUCKET = { endpoint: null, bucket: null, prefix: null, region: null, accessKeyId: null, secretAccessKey: null };

export const backupExtensions = singleton({
  title: 'Backup extensions',
  label: 'Backup retention and copies',
  about:
    'Settings that the backup config does not have: how many backups are kept, a copy of each in an S3-compatible bucket, and how long the script may run. Requests to the backup config do not change them.',
  path: '/api/config/backup/extensions',
  version: 1,
  permission: 'admin',
  doc: 'backup-extensions',
  links: ['doc', 'self'],
  verbs: ['POST', 'PUT', 'DELETE'],
  needsIfMatch: false,
  fields: {
    retention: group(
      {
        keepLast: optionalWhole({
          label: 'Backups to keep',
          description: 'How many of the last backups stay. Neither this nor `keep_days`: all stay.',
          hint: 'How many of the last backups stay. Neither this nor days: all stay.',
        }),
        keepDays: optionalWhole({
          label: 'Days to keep',
          description: 'For how many days backups stay; with `keep_last`, what either keeps stays.',
          hint: 'For how many days backups stay. With a number as well, what either keeps stays.',
        }),
      },
      { description: 'Which backups are kept on the disk.' },
    ),
    copy: group(
      {
        endpoint: plainField<string | null>(
          {
            type: ['string', 'null'],
            'x-format': 'uri',
            description: 'The address of the store, such as https://s3.eu-central-1.amazonaws.com; none: no copies.',
          },
          (cursor, name) => readText(cursor, name) ?? null,
          // One with a password is refused, and the refusal does not repeat it.
          (value) => value?.replace(/\/\/[^/?#]*@/, '//******@') ?? null,
        ),
        bucket: optionalText({ description: 'The name of the bucket.' }),
        prefix: optionalText({ label: 'Folder', description: 'The folder in the bucket.' }),
        region: optionalText({ description: `The region that requests are signed for; ${DEFAULT_REGION} unless set.` }),
        accessKeyId: optionalText({ label: 'Access key ID', description: 'The key.' }),
        secretAccessKey: secretText({
          hint: 'Of that key.',
          both: 'You may only specify `secret_access_key` or `encrypted_secret_access_key`, not both!',
          undecryptable: 'Encrypted value for secret_access_key is invalid. This usually happens when the cipher text is invalid.',
          sentTo: (member) => originOf(member('endpoint')),
        }),
      },
      { label: 'Copy to a bucket', description: 'The bucket that each backup is copied to.' },
    ),
    scriptTimeout: plainField<number>(
      {
        type: 'integer',
        default: DEFAULT_SCRIPT_MINUTES,
        'x-format': 'minutes',
        description: 'Minutes after which the post-backup script is ended.',
      },
      (cursor, name) => readWhole(cursor, name) ?? DEFAULT_SCRIPT_MINUTES,
      (value) => value,
    ),
  },
  unset: { retention: NO_RETENTION, copy: NO_BUCKET, scriptTimeout: DEFAULT_SCRIPT_MINUTES },
  rules: [
    ({ retention: { keepLast, keepDays } }) => [
      ...problemUnless((keepLast ?? 1) >= 1, ['retention', 'keep_last'], 'Keep at least one backup.'),
      ...problemUnless((keepDays ?? 1) >= 1, ['retention', 'keep_days'], 'Keep backups for at least one day.'),
    ],
    ({ copy }) => bucketProblems(copy),
    ({ scriptTimeout }) =>
      problemUnless(
        scriptTimeout >= 1 && scriptTimeout <= MAX_SCRIPT_MINUTES,
        'script_timeout',
        `The script may run for 1 to ${MAX_SCRIPT_MINUTES} minutes.`,
      ),
  ],
  messages: singletonMessages('Backup extensions', { isPlural: true }),
  example: {
    retention: { keep_last: 7, keep_days: 30 },
    copy: {
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      bucket: 'backups',
      prefix: 'slipway',
      region: 'eu-central-1',
      access_key_id: 'AKIAEXAMPLE',
      secret_access_key: 'example-key',
    },
    script_timeout: 60,
  },
});

interface BucketFields {
  readonly endpoint: string | null;
  readonly bucket: string | null;
  readonly prefix: string | null;
  readonly region: string | null;
  readonly accessKeyId: string | null;
  readonly secretAccessKey: unknown;
}

function bucketProblems({ endpoint, bucket, accessKeyId, secretAccessKey }: BucketFields): Problem[] {
  if (isBlank(endpoint) && isBlank(bucket)) return [];
  const at = (name: string) => ['copy', name];
  const url = URL.parse(endpoint ?? '');
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  return [
    ...problemUnless(isWeb, at('endpoint'), 'This must be an address such as https://s3.eu-central-1.amazonaws.com, without a user.'),
    ...problemUnless(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket ?? ''), at('bucket'), 'This must be the name of a bucket.'),
    ...problemUnless(!isBlank(accessKeyId), at('access_key_id'), 'The copy needs an access key.'),
    ...problemUnless(secretAccessKey !== null, at('secret_access_key'), 'The copy needs a secret access key.'),
  ];
}

function isBlank(text: string | null): boolean {
  return (text ?? '').trim() === '';
}

function optionalWhole(described: FieldDescription): Field<number | null> {
  return plainField<number | null>(
    { type: ['integer', 'null'], ...describedBy(described) },
    (cursor, name) => (cursor.holder[name] === null ? null : (readWhole(cursor, name) ?? null)),
    (value) => value,
  );
}
