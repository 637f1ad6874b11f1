// The server itself: its identity, addresses, mail, backups and artifacts.
import type { JsonObject } from '../../../shape/json/json.ts';
import { flag, neverWritten, optional, password, required } from '../form/attributes.ts';
import { one, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { entities } from '../form/entities.ts';
import type { Part } from '../form/part.ts';
import { decimal, text } from '../form/texts.ts';
import { DECIMAL_TEXT, EMAIL, WHOLE } from '../form/values.ts';
import { security } from './security.ts';

const siteUrls = element('siteUrls', [
  text('siteUrl', 'site_url', { absent: '' }),
  text('secureSiteUrl', 'secure_site_url', { absent: '' }),
]);

const mailhost = element('mailhost', [
  required('hostname', 'hostname'),
  required('port', 'port', WHOLE),
  optional('username', 'username', { absent: null }),
  password(null),
  flag('tls', 'tls', false),
  required('from', 'sender_email', EMAIL),
  required('admin', 'admin_email', EMAIL),
]);

const backup = element('backup', [
  optional('schedule', 'schedule', { absent: null }),
  optional('postBackupScript', 'post_backup_script', { absent: null }),
  flag('emailOnSuccess', 'email_on_success', false),
  flag('emailOnFailure', 'email_on_failure', false),
]);

const purgeSettings = element('purgeSettings', [
  decimal('purgeStartDiskSpace', 'purge_start_disk_space'),
  decimal('purgeUptoDiskSpace', 'purge_upto_disk_space'),
]);

const ARTIFACTS_DIRECTORY = 'artifacts';
const artifacts = element('artifacts', [artifactsDirectory(), one('purge_settings', purgeSettings)]);

/** Written also when it is the usual one, as GoCD does. */
function artifactsDirectory(): Part {
  const { children, writeChildren } = text('artifactsDir', 'artifacts_dir');
  return {
    children: children!,
    writeChildren: writeChildren!,
    read: text('artifactsDir', 'artifacts_dir', { absent: ARTIFACTS_DIRECTORY }).read,
  };
}

const UNSET = new Set<unknown>(['', false, null]);

/** Whether all values are unset, which means the same as an absent element. */
function isUnset(json: JsonObject): boolean {
  return Object.values(json).every((value) => UNSET.has(value));
}

/** Its attributes belong to two entities that have no elements: the default job timeout, and the identity, whose keys are never written. */
export const server: Part = wrap('server', [
  optional('jobTimeout', 'default_job_timeout', { type: DECIMAL_TEXT, alsoAbsent: '0' }),
  neverWritten('agentAutoRegisterKey', 'agent_auto_register_key'),
  neverWritten('webhookSecret', 'webhook_secret'),
  optional('serverId', 'server_id'),
  neverWritten('tokenGenerationKey', 'token_generation_key'),
  entities('siteUrls', siteUrls, { isSingle: true, isNone: isUnset }),
  security,
  entities('mailServer', mailhost, { isSingle: true }),
  entities('backupConfig', backup, { isSingle: true, isNone: isUnset }),
  entities('artifactsConfig', artifacts, { isSingle: true }),
]);
