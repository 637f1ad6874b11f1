// Tests the labels of members and settings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelOf, settingLabel } from './labels.ts';

for (const [name, label] of [
  ['artifact_store_id', 'Artifact store'],
  ['id', 'ID'],
  ['site_url', 'Site URL'],
  ['keep_last', 'Keep last'],
  ['_links', 'Links'],
] as const)
  test(`the member ${name} is ${label}`, () => assert.equal(labelOf(name), label));

for (const [key, label] of [
  ['AWSAccessKeyId', 'AWS access key ID'],
  ['S3Bucket', 'S3 bucket'],
  ['ManagerDN', 'Manager DN'],
  ['REPO_URL', 'Repo URL'],
  ['docker_uri', 'Docker URI'],
  ['LinuxOSVolumeProvisionedIOPS', 'Linux OS volume provisioned IOPS'],
  ['SubnetIds', 'Subnet IDs'],
] as const)
  test(`the setting ${key} is ${label}`, () => assert.equal(settingLabel(key), label));
