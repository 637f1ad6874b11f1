// Every route and every kind of caller: one table says which callers get in and which message the others get.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BAD_TOKEN, NO_TOKEN } from '../../../src/api/endpoints/agent-protocol/agent-of.ts';
import { READ_ONLY } from '../../../src/api/endpoints/config-git/routes.ts';
import type { Route } from '../../../src/api/engine/route.ts';
import { CROSS_ORIGIN, CROSS_SITE } from '../../../src/api/http/cross-site.ts';
import { UNKNOWN_TOKEN } from '../../../src/builds/agents/registry.ts';
import { NO_BASIC_TOKEN, NO_GITLAB_TOKEN, NO_SIGNATURE } from '../../../src/materials/webhooks/providers.ts';
import { kinds } from '../../support/configuration/samples.ts';
import { smallPipeline } from '../../support/requests/bodies.ts';
import {
  type Action,
  APPROVAL,
  accepted,
  addRole,
  addUser,
  CALLERS,
  type Caller,
  createCallers,
  givePassword,
  loginOf,
  type PolicyType,
  roleBody,
  startServer,
  tokenOf,
} from '../../support/requests/callers.ts';
import { contentOf, OpenApi, type Operation } from '../../support/requests/openapi.ts';
import { type Ask, type Reply, TestServer } from '../../support/server/server.ts';

const ADDRESS = 'You are not authorized to access this resource!';
const ACTION = 'You are not authorized to perform this action.';
const NO_TOKENS = 'Unsupported operation: Accessing this API using access token is forbidden.';

/** The callers that get in, and the message for known users without the right. */
interface Rule {
  readonly allowed: readonly Caller[];
  readonly refusalMessage?: string | ((login: string) => string) | { readonly action: Action; readonly type: PolicyType };
  readonly tokenMessage?: string;
  /** Tokens are refused before anything else is asked. */
  readonly refusesTokensFirst?: boolean;
  /** Refuses all callers: those with the right are told why. */
  readonly allowedMessage?: string;
  /** 403, unless it says otherwise. */
  readonly othersStatus?: number;
  /** The route has no login: a bad token is answered as such. */
  readonly hasNoLogin?: boolean;
  /** Asks for another proof than a login, and says so to every caller that lacks it. */
  readonly wantsProof?: (authorization: string) => string;
}

const ADMINS: readonly Caller[] = ['system admin', 'system admin with a token', 'system admin by role'];
const USERS = CALLERS.filter((caller) => caller !== 'anonymous' && caller !== 'disabled user');
const withoutToken = (callers: readonly Caller[]) => callers.filter((caller) => !caller.endsWith('token'));

// A policy on a cluster covers its profiles, and one on a profile shows its cluster.
const VIEWERS: Readonly<Record<PolicyType, readonly Caller[]>> = {
  environment: ['view environment', 'administer environment'],
  config_repo: ['view config_repo', 'administer config_repo'],
  cluster_profile: ['view cluster_profile', 'administer cluster_profile', 'view elastic_agent_profile', 'administer elastic_agent_profile'],
  elastic_agent_profile: [
    'group admin',
    'view cluster_profile',
    'administer cluster_profile',
    'view elastic_agent_profile',
    'administer elastic_agent_profile',
  ],
};
const ADMINISTRATORS: Readonly<Record<PolicyType, readonly Caller[]>> = {
  environment: ['administer environment'],
  config_repo: ['administer config_repo'],
  cluster_profile: ['administer cluster_profile'],
  elastic_agent_profile: ['group admin', 'administer cluster_profile', 'administer elastic_agent_profile'],
};

const anyone: Rule = { allowed: CALLERS };
const proof = (wantsProof: Rule['wantsProof']): Rule => ({ allowed: [], wantsProof: wantsProof! });
/** A password sent as basic authentication might be the secret. */
const bitbucketRefusal = (sent: string) =>
  sent.startsWith('Basic') ? 'Token specified via basic authentication did not match!' : NO_BASIC_TOKEN;
const anyUser: Rule = { allowed: USERS };
const anyUserWithoutToken: Rule = { allowed: withoutToken(USERS), tokenMessage: NO_TOKENS };
const admin = (refusalMessage: NonNullable<Rule['refusalMessage']>): Rule => ({ allowed: ADMINS, refusalMessage });
const adminWithoutToken: Rule = { allowed: withoutToken(ADMINS), refusalMessage: ADDRESS, tokenMessage: NO_TOKENS };
const groupAdmin: Rule = { allowed: [...ADMINS, 'group admin'], refusalMessage: ACTION };
/** Operating does not include seeing. */
const groupViewer: Rule = { allowed: [...ADMINS, 'group admin', 'group viewer', 'group viewer by role'], refusalMessage: ACTION };
const APPROVERS: readonly Caller[] = ['stage approver', 'stage approver by role'];
const groupOperator: Rule = {
  allowed: [...ADMINS, 'group admin', 'group operator', 'group operator by role', ...APPROVERS],
  refusalMessage: ACTION,
};
/** The stage has approvers of its own: they count instead of the operators of the group. */
const stageApprover = (refusalMessage: string): Rule => ({ allowed: [...ADMINS, 'group admin', ...APPROVERS], refusalMessage });
/** The token of an agent; a caller with another bearer token is told that it is not one. */
const agentToken = proof((sent) => (sent.startsWith('Bearer') ? BAD_TOKEN : NO_TOKEN));
const templateAdmin: Rule = { allowed: [...ADMINS, 'template admin'], refusalMessage: ACTION };
const groupOrTemplateAdmin: Rule = { allowed: [...ADMINS, 'group admin', 'template admin'], refusalMessage: ACTION };
/** Even a user whose policy only denies has a policy, and so gets a list: an empty one. */
const seeker = (type: PolicyType): Rule => ({ allowed: [...ADMINS, ...VIEWERS[type], 'denied user'], refusalMessage: ACTION });
const viewer = (type: PolicyType): Rule => ({ allowed: [...ADMINS, ...VIEWERS[type]], refusalMessage: { action: 'view', type } });
const administrator = (type: PolicyType): Rule => ({
  allowed: [...ADMINS, ...ADMINISTRATORS[type]],
  refusalMessage: { action: 'administer', type },
});

const TABLE: Readonly<Record<string, Rule>> = {
  'GET /': anyUser,
  'GET /about': anyUser,
  'GET /api/docs': anyUser,
  'GET /api/docs/{chapter}': anyUser,
  'GET /api/openapi.json': anyUser,
  'GET /api/v1/health': anyone,
  'GET /api/v1/ready': anyone,
  'GET /api/version': anyUser,
  'GET /api/server_health_messages': anyUser,
  'GET /metrics': admin(ACTION),
  'GET /api/admin/support_bundle': admin(ADDRESS),
  'POST /api/admin/maintenance_mode/enable': admin(ADDRESS),
  'POST /api/admin/maintenance_mode/disable': admin(ADDRESS),
  'GET /api/admin/replicas': admin(ADDRESS),
  'GET /api/admin/maintenance_mode/info': admin(ADDRESS),
  'GET /api/admin/maintenance_mode/wait': admin(ADDRESS),

  'GET /api/admin/events': admin(ADDRESS),
  'GET /api/admin/events/verification': admin(ADDRESS),
  'GET /api/live': anyUser,
  'GET /api/admin/webhooks': admin(ADDRESS),
  'POST /api/admin/webhooks': admin(ADDRESS),
  'GET /api/admin/webhooks/{id}': admin(ADDRESS),
  'PUT /api/admin/webhooks/{id}': admin(ADDRESS),
  'DELETE /api/admin/webhooks/{id}': admin(ADDRESS),
  'GET /api/admin/webhooks/{id}/deliveries': admin(ADDRESS),
  'POST /api/admin/webhooks/{id}/replay': admin(ADDRESS),
  'POST /api/admin/webhooks/{id}/test': admin(ADDRESS),

  'GET /api/current_user': anyUser,
  'PATCH /api/current_user': anyUser,
  'GET /api/current_user/access_tokens': anyUserWithoutToken,
  'POST /api/current_user/access_tokens': anyUserWithoutToken,
  'GET /api/current_user/access_tokens/{id}': anyUserWithoutToken,
  'POST /api/current_user/access_tokens/{id}/revoke': anyUserWithoutToken,
  'POST /api/current_user/access_tokens/{id}/rotate': anyUserWithoutToken,
  'GET /api/token_scopes': anyUser,
  'GET /api/admin/access_tokens': adminWithoutToken,
  'GET /api/admin/access_tokens/{id}': adminWithoutToken,
  'POST /api/admin/access_tokens/{id}/revoke': adminWithoutToken,
  'GET /api/admin/service_accounts': admin(ADDRESS),
  'POST /api/admin/service_accounts': admin(ADDRESS),
  'GET /api/admin/service_accounts/{name}': admin(ADDRESS),
  'PUT /api/admin/service_accounts/{name}': admin(ADDRESS),
  'DELETE /api/admin/service_accounts/{name}': admin(ADDRESS),
  'GET /api/admin/service_accounts/{name}/access_tokens': adminWithoutToken,
  'POST /api/admin/service_accounts/{name}/access_tokens': adminWithoutToken,
  'GET /api/admin/service_accounts/{name}/access_tokens/{id}': adminWithoutToken,
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/revoke': adminWithoutToken,
  'POST /api/admin/service_accounts/{name}/access_tokens/{id}/rotate': adminWithoutToken,

  'POST /api/session': anyone,
  'GET /api/session': anyUser,
  'DELETE /api/session': anyUser,
  'GET /api/current_user/sessions': anyUserWithoutToken,
  'DELETE /api/current_user/sessions': anyUserWithoutToken,
  'DELETE /api/current_user/sessions/{id}': anyUserWithoutToken,
  'POST /api/current_user/sealed_drafts': anyUserWithoutToken,
  'POST /api/current_user/sealed_drafts/open': anyUserWithoutToken,
  'GET /api/admin/sessions': adminWithoutToken,
  'DELETE /api/admin/sessions': adminWithoutToken,
  'DELETE /api/admin/sessions/{id}': adminWithoutToken,
  'GET /api/login_sources': anyone,
  'GET /auth/login/{auth_config_id}': anyone,
  'GET /auth/callback/{auth_config_id}': anyone,
  // The logout token in the request names the user, and proves that it comes from the provider.
  'POST /auth/backchannel_logout/{auth_config_id}': anyone,

  'GET /api/auth/permissions': anyUser,
  'GET /api/notification_filters': anyUser,
  'POST /api/notification_filters': anyUser,
  'GET /api/notification_filters/{id}': anyUser,
  'PATCH /api/notification_filters/{id}': anyUser,
  'DELETE /api/notification_filters/{id}': anyUser,
  'GET /api/forms': anyUser,
  'GET /api/forms/{resource}': anyUser,
  'GET /api/admin/plugin_info': anyUser,
  'GET /api/admin/plugin_info/{plugin_id}': anyUser,
  'GET /api/admin/plugin_settings': admin(ADDRESS),
  'POST /api/admin/plugin_settings': admin(ADDRESS),
  'GET /api/admin/plugin_settings/{id}': admin(ADDRESS),
  'PUT /api/admin/plugin_settings/{id}': admin(ADDRESS),
  'PATCH /api/admin/plugin_settings/{id}': admin(ADDRESS),
  'DELETE /api/admin/plugin_settings/{id}': admin(ADDRESS),
  'POST /api/admin/encrypt': groupOrTemplateAdmin,
  'GET /api/admin/config.xml': admin(ADDRESS),
  'GET /api/admin/config/current.xml': admin(ADDRESS),
  'GET /api/admin/config/{md5}.xml': admin(ADDRESS),
  'GET /api/admin/config/revisions': admin(ADDRESS),
  'GET /api/admin/config/revisions/{revision}': admin(ADDRESS),
  'PATCH /api/admin/config/revisions/{revision}': admin(ADDRESS),
  'GET /api/admin/config/entities/{resource}/{id}/history': admin(ADDRESS),
  'GET /api/admin/config/entities/{resource}/{id}/blame': admin(ADDRESS),
  'GET /api/admin/config/entities/{resource}/{id}/usages': admin(ADDRESS),
  'GET /api/admin/config/entities/{resource}/history': admin(ADDRESS),
  'GET /api/admin/config/entities/{resource}/blame': admin(ADDRESS),
  'POST /api/admin/config.xml': admin((login) => `User '${login}' does not have permissions to administer`),
  'POST /api/admin/config/import': admin(ADDRESS),
  'POST /api/admin/config/batch': admin(ADDRESS),
  'POST /api/admin/config/plan': admin(ADDRESS),
  'POST /api/admin/config/plan/{id}/apply': admin(ADDRESS),
  'POST /api/admin/config/revisions/{revision}/revert': admin(ADDRESS),
  'POST /api/admin/config/entities/{resource}/{id}/revert': admin(ADDRESS),
  'POST /api/admin/config/entities/{resource}/revert': admin(ADDRESS),
  'GET /api/config-repository.git/info/refs': admin(ADDRESS),
  'GET /api/config-repository.git/objects/{folder}/{file}': admin(ADDRESS),
  'POST /api/config-repository.git/git-upload-pack': admin(ADDRESS),
  'POST /api/config-repository.git/git-receive-pack': { ...admin(ADDRESS), allowedMessage: READ_ONLY },

  'GET /api/users': admin(ACTION),
  'POST /api/users': admin(ACTION),
  'DELETE /api/users': admin(ACTION),
  'PATCH /api/users/operations/state': admin(ACTION),
  'GET /api/users/{login_name}': admin(ACTION),
  'PATCH /api/users/{login_name}': admin(ACTION),
  'DELETE /api/users/{login_name}': admin(ACTION),
  'GET /api/admin/internal/member_names': groupOrTemplateAdmin,

  'GET /api/admin/security/roles': admin(ADDRESS),
  'POST /api/admin/security/roles': admin(ADDRESS),
  'GET /api/admin/security/roles/{id}': admin(ADDRESS),
  'PUT /api/admin/security/roles/{id}': admin(ADDRESS),
  'PATCH /api/admin/security/roles/{id}': admin(ADDRESS),
  'DELETE /api/admin/security/roles/{id}': admin(ADDRESS),
  'GET /api/admin/security/system_admins': admin(ADDRESS),
  'PUT /api/admin/security/system_admins': admin(ADDRESS),
  'PATCH /api/admin/security/system_admins': admin(ADDRESS),
  'GET /api/admin/security/auth_configs': admin(ADDRESS),
  'POST /api/admin/security/auth_configs': admin(ADDRESS),
  'GET /api/admin/security/auth_configs/{id}': admin(ADDRESS),
  'PUT /api/admin/security/auth_configs/{id}': admin(ADDRESS),
  'PATCH /api/admin/security/auth_configs/{id}': admin(ADDRESS),
  'DELETE /api/admin/security/auth_configs/{id}': admin(ADDRESS),
  'POST /api/admin/internal/security/auth_configs/verify_connection': admin(ADDRESS),

  'GET /api/admin/pipeline_groups': groupAdmin,
  'POST /api/admin/pipeline_groups': admin(ACTION),
  'GET /api/admin/pipeline_groups/{id}': groupAdmin,
  'PUT /api/admin/pipeline_groups/{id}': groupAdmin,
  'PATCH /api/admin/pipeline_groups/{id}': groupAdmin,
  'DELETE /api/admin/pipeline_groups/{id}': groupAdmin,

  'GET /api/admin/pipelines': anyUser,
  // The example names a group that our group admin does not administer.
  'POST /api/admin/pipelines': admin(ACTION),
  'GET /api/admin/pipelines/{id}': groupAdmin,
  'PUT /api/admin/pipelines/{id}': groupAdmin,
  'PATCH /api/admin/pipelines/{id}': groupAdmin,
  'DELETE /api/admin/pipelines/{id}': groupAdmin,
  'PUT /api/admin/pipelines/{id}/extract_to_template': groupAdmin,
  'GET /api/pipelines/{pipeline_name}/status': groupViewer,
  'GET /api/admin/templates': groupOrTemplateAdmin,
  'POST /api/admin/templates': admin(ACTION),
  'GET /api/admin/templates/{id}': groupOrTemplateAdmin,
  'PUT /api/admin/templates/{id}': templateAdmin,
  'PATCH /api/admin/templates/{id}': templateAdmin,
  'DELETE /api/admin/templates/{id}': templateAdmin,
  'GET /api/admin/templates/{template_name}/parameters': groupOrTemplateAdmin,
  'GET /api/admin/templates/{template_name}/authorization': templateAdmin,
  'PUT /api/admin/templates/{template_name}/authorization': templateAdmin,
  'PATCH /api/admin/templates/{template_name}/authorization': templateAdmin,
  'GET /api/admin/scms': groupAdmin,
  'POST /api/admin/scms': groupAdmin,
  'GET /api/admin/scms/{id}': groupAdmin,
  'PUT /api/admin/scms/{id}': groupAdmin,
  'PATCH /api/admin/scms/{id}': groupAdmin,
  'DELETE /api/admin/scms/{id}': groupAdmin,
  'GET /api/admin/scms/{material_name}/usages': groupAdmin,
  'POST /api/admin/internal/scms/verify_connection': groupAdmin,
  // The example names a group that our group admin does not administer.
  'POST /api/admin/internal/pipelines/verify_connection': admin(ACTION),
  'POST /api/admin/internal/config_repos/verify_connection': administrator('config_repo'),

  'GET /api/config/materials': anyUser,
  'GET /api/config/pipeline_groups': anyUser,
  // There is no such material: only administrators learn that.
  'GET /api/materials/{fingerprint}/modifications': admin('Unauthorized { Do not have view permission to this material }'),
  'GET /api/materials/{fingerprint}/modifications/{offset}': anyUser,
  'GET /api/internal/materials': anyUser,
  'GET /api/internal/materials/{fingerprint}/usages': anyUser,
  'GET /api/internal/materials/{fingerprint}/modifications': admin('Unauthorized { Do not have view permission to this material }'),
  'GET /api/materials/{fingerprint}/value_stream_map/{revision}': admin('Unauthorized { Do not have view permission to this material }'),
  'POST /api/internal/materials/{fingerprint}/trigger_update': {
    ...admin('Do not have view permission to this material'),
    othersStatus: 401,
  },
  'POST /api/admin/materials/git/notify': admin(ADDRESS),
  'POST /api/admin/materials/hg/notify': admin(ADDRESS),
  'POST /api/admin/materials/svn/notify': admin(ADDRESS),
  'POST /api/admin/materials/scm/notify': admin(ADDRESS),
  'POST /api/webhooks/github/notify': proof(() => NO_SIGNATURE),
  'POST /api/webhooks/gitlab/notify': proof(() => NO_GITLAB_TOKEN),
  'POST /api/webhooks/bitbucket/notify': proof(bitbucketRefusal),
  'POST /api/webhooks/hosted_bitbucket/notify': proof(() => NO_SIGNATURE),
  'POST /api/webhooks/github/config_repos/{id}': proof(() => NO_SIGNATURE),
  'POST /api/webhooks/gitlab/config_repos/{id}': proof(() => NO_GITLAB_TOKEN),
  'POST /api/webhooks/bitbucket/config_repos/{id}': proof(bitbucketRefusal),
  'POST /api/webhooks/hosted_bitbucket/config_repos/{id}': proof(() => NO_SIGNATURE),
  'PATCH /api/admin/webhooks/{id}': admin(ADDRESS),
  'GET /api/admin/config/server/webhook_secret': admin(ADDRESS),
  'PUT /api/admin/config/server/webhook_secret': admin(ADDRESS),
  'PATCH /api/admin/config/server/webhook_secret': admin(ADDRESS),

  'GET /api/admin/artifact_stores': admin(ADDRESS),
  'POST /api/admin/artifact_stores': admin(ADDRESS),
  'GET /api/admin/artifact_stores/{id}': admin(ADDRESS),
  'PUT /api/admin/artifact_stores/{id}': admin(ADDRESS),
  'PATCH /api/admin/artifact_stores/{id}': admin(ADDRESS),
  'DELETE /api/admin/artifact_stores/{id}': admin(ADDRESS),
  'GET /api/admin/secret_configs': admin(ADDRESS),
  'POST /api/admin/secret_configs': admin(ADDRESS),
  'GET /api/admin/secret_configs/{id}': admin(ADDRESS),
  'PUT /api/admin/secret_configs/{id}': admin(ADDRESS),
  'PATCH /api/admin/secret_configs/{id}': admin(ADDRESS),
  'DELETE /api/admin/secret_configs/{id}': admin(ADDRESS),
  'GET /api/admin/artifacts/purge_preview': admin(ADDRESS),
  'GET /api/admin/artifacts/usage': admin(ADDRESS),
  'GET /api/admin/config/artifact_retention': admin(ADDRESS),
  'PUT /api/admin/config/artifact_retention': admin(ADDRESS),
  'PATCH /api/admin/config/artifact_retention': admin(ADDRESS),
  'GET /api/admin/config/server/artifact_config': admin(ADDRESS),
  'PUT /api/admin/config/server/artifact_config': admin(ADDRESS),
  'PATCH /api/admin/config/server/artifact_config': admin(ADDRESS),
  'GET /api/admin/config/server/default_job_timeout': admin(ADDRESS),
  'POST /api/admin/config/server/default_job_timeout': admin(ADDRESS),
  'PUT /api/admin/config/server/default_job_timeout': admin(ADDRESS),
  'PATCH /api/admin/config/server/default_job_timeout': admin(ADDRESS),
  'GET /api/admin/config/server/site_urls': admin(ADDRESS),
  'POST /api/admin/config/server/site_urls': admin(ADDRESS),
  'PUT /api/admin/config/server/site_urls': admin(ADDRESS),
  'PATCH /api/admin/config/server/site_urls': admin(ADDRESS),
  'GET /api/config/backup': admin(ACTION),
  'POST /api/config/backup': admin(ACTION),
  'PUT /api/config/backup': admin(ACTION),
  'PATCH /api/config/backup': admin(ACTION),
  'DELETE /api/config/backup': admin(ACTION),
  'GET /api/config/backup/extensions': admin(ACTION),
  'POST /api/config/backup/extensions': admin(ACTION),
  'PUT /api/config/backup/extensions': admin(ACTION),
  'PATCH /api/config/backup/extensions': admin(ACTION),
  'DELETE /api/config/backup/extensions': admin(ACTION),
  'POST /api/backups': admin(ACTION),
  'GET /api/backups': admin(ACTION),
  'GET /api/backups/{id}': admin(ACTION),
  'GET /api/backups/{id}/manifest': admin(ACTION),
  'GET /is_backup_finished.json': anyUser,
  'GET /api/config/mailserver': admin(ACTION),
  'POST /api/config/mailserver': admin(ACTION),
  'POST /api/config/mailserver/test': admin(ACTION),
  'PUT /api/config/mailserver': admin(ACTION),
  'PATCH /api/config/mailserver': admin(ACTION),
  'DELETE /api/config/mailserver': admin(ACTION),

  'GET /api/admin/environments': seeker('environment'),
  'GET /api/admin/internal/environments/merged': seeker('environment'),
  'POST /api/admin/environments': administrator('environment'),
  'GET /api/admin/environments/{id}': viewer('environment'),
  'PUT /api/admin/environments/{id}': administrator('environment'),
  'PATCH /api/admin/environments/{id}': administrator('environment'),
  'DELETE /api/admin/environments/{id}': administrator('environment'),
  'GET /api/admin/config_repos': seeker('config_repo'),
  'POST /api/admin/config_repos': administrator('config_repo'),
  'GET /api/admin/config_repos/{id}': viewer('config_repo'),
  'PUT /api/admin/config_repos/{id}': administrator('config_repo'),
  'PATCH /api/admin/config_repos/{id}': administrator('config_repo'),
  'DELETE /api/admin/config_repos/{id}': administrator('config_repo'),
  'POST /api/admin/config_repo_ops/preflight': admin(ACTION),
  'GET /api/admin/export': admin(ACTION),
  'GET /api/admin/export/groups/{group_name}': groupAdmin,
  'GET /api/admin/export/pipelines/{pipeline_name}': groupAdmin,
  'POST /api/admin/config_repos/{id}/trigger_update': administrator('config_repo'),
  'GET /api/admin/config_repos/{id}/status': viewer('config_repo'),
  'GET /api/admin/config_repos/{id}/definitions': viewer('config_repo'),
  'GET /api/admin/config_repos/{id}/parses': viewer('config_repo'),
  'GET /api/admin/config_repos/{id}/sources': viewer('config_repo'),
  'GET /api/internal/config_repos': seeker('config_repo'),
  'GET /api/admin/elastic/cluster_profiles': seeker('cluster_profile'),
  'POST /api/admin/elastic/cluster_profiles': administrator('cluster_profile'),
  'GET /api/admin/elastic/cluster_profiles/{id}': viewer('cluster_profile'),
  'PUT /api/admin/elastic/cluster_profiles/{id}': administrator('cluster_profile'),
  'PATCH /api/admin/elastic/cluster_profiles/{id}': administrator('cluster_profile'),
  'DELETE /api/admin/elastic/cluster_profiles/{id}': administrator('cluster_profile'),
  'GET /api/elastic/profiles': seeker('elastic_agent_profile'),
  'GET /api/internal/elastic/profiles/{id}/usages': viewer('elastic_agent_profile'),
  'POST /api/elastic/profiles': administrator('elastic_agent_profile'),
  'GET /api/elastic/profiles/{id}': viewer('elastic_agent_profile'),
  'PUT /api/elastic/profiles/{id}': administrator('elastic_agent_profile'),
  'PATCH /api/elastic/profiles/{id}': administrator('elastic_agent_profile'),
  'DELETE /api/elastic/profiles/{id}': administrator('elastic_agent_profile'),

  'GET /api/agents': anyUser,
  'GET /api/agents/{uuid}': anyUser,
  'PATCH /api/agents': admin(ACTION),
  'PATCH /api/agents/{uuid}': admin(ACTION),
  'DELETE /api/agents': admin(ACTION),
  'DELETE /api/agents/{uuid}': admin(ACTION),
  'GET /api/agents/{uuid}/job_run_history': admin(ACTION),
  'POST /api/agents/{uuid}/kill_running_tasks': admin(ACTION),
  'GET /api/admin/agent_registration': admin(ADDRESS),
  'POST /api/admin/agent_registration/rotate': admin(ADDRESS),
  // A token that is sent has to be that of an agent.
  'POST /agent/v1/registration': { allowed: withoutToken(CALLERS), tokenMessage: UNKNOWN_TOKEN, hasNoLogin: true },
  'POST /agent/v1/poll': agentToken,
  'POST /agent/v1/jobs/{job}/reports': agentToken,
  'PUT /agent/v1/jobs/{job}/console': agentToken,
  'PUT /agent/v1/jobs/{job}/artifacts/file': agentToken,
  'PUT /agent/v1/jobs/{job}/artifacts/archive': agentToken,
  'POST /agent/v1/jobs/{job}/artifacts/publication': agentToken,
  'GET /agent/v1/jobs/{job}/fetches/{fetch}/files': agentToken,
  'GET /agent/v1/jobs/{job}/fetches/{fetch}/file': agentToken,
  'POST /agent/v1/jobs/{job}/fetches/{fetch}/archive': agentToken,
  'GET /api/pipelines/{pipeline_name}/history': groupViewer,
  'GET /api/dashboard': anyUser,
  'GET /api/dashboard/rows': anyUser,
  'GET /api/dashboard/views': anyUser,
  'PUT /api/dashboard/views': anyUser,
  'GET /cctray.xml': anyUser,
  'GET /api/feed/pipelines.xml': anyUser,
  'GET /api/feed/jobs/scheduled.xml': anyUser,
  'GET /api/feed/pipelines/{pipeline_name}/stages.xml': groupViewer,
  'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}.xml': groupViewer,
  'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}.xml': groupViewer,
  'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}.xml': groupViewer,
  'GET /api/pipelines/{pipeline_name}/statistics': groupViewer,
  'GET /api/pipelines/{pipeline_name}/compare/{from_counter}/{to_counter}': groupViewer,
  'GET /api/pipelines/{pipeline_name}/{pipeline_counter}/value_stream_map': groupViewer,
  'GET /pipelines/value_stream_map/{pipeline_name}/{pipeline_counter}.json': groupViewer,
  'GET /api/pipelines/{pipeline_name}/tests': groupViewer,
  'GET /api/pipelines/{pipeline_name}/tests/history': groupViewer,
  'GET /api/pipelines/{pipeline_name}/trigger_options': stageApprover(ACTION),
  'GET /api/pipelines/{pipeline_name}/why': groupViewer,
  'GET /api/pipelines/{pipeline_name}/{pipeline_counter}': groupViewer,
  'GET /api/pipelines/{pipeline_name}/{pipeline_counter}/instance': groupViewer,
  'POST /api/pipelines/{pipeline_name}/pause': groupOperator,
  'POST /api/pipelines/{pipeline_name}/unpause': groupOperator,
  'POST /api/pipelines/{pipeline_name}/unlock': groupOperator,
  'POST /api/pipelines/{pipeline_name}/schedule': stageApprover(ACTION),
  'POST /api/pipelines/{pipeline_name}/{pipeline_counter}/comment': groupOperator,
  'GET /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}': groupViewer,
  'GET /api/stages/{pipeline_name}/{stage_name}/history': groupViewer,
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/run': {
    ...groupOperator,
    refusalMessage: 'User does not have operate permissions for stage [sample] of pipeline [sample]',
  },
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/cancel': {
    ...groupOperator,
    refusalMessage: 'Unauthorized to operate stage named sample',
  },
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/run-failed-jobs': {
    ...groupOperator,
    refusalMessage: 'User does not have operate permissions for stage [sample] of pipeline [sample]',
  },
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/run-selected-jobs': {
    ...groupOperator,
    refusalMessage: 'User does not have operate permissions for stage [sample] of pipeline [sample]',
  },
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': groupViewer,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console': groupViewer,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console/search': groupViewer,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console/sections': groupViewer,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/tests': groupViewer,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/why': groupViewer,
  'GET /api/jobs/{pipeline_name}/{stage_name}/{job_name}/history': groupViewer,
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/cruise-output/console.log': groupViewer,
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': groupViewer,
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/artifact_view': {
    ...groupViewer,
    allowed: withoutToken(groupViewer.allowed),
    tokenMessage: NO_TOKENS,
    refusesTokensFirst: true,
  },
  // The token in the address names the user.
  'GET /artifact_view/{address}': anyone,
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}.json': groupViewer,
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': groupViewer,
  'POST /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': groupOperator,
  'POST /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': groupOperator,
  'PUT /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': groupOperator,

  'GET /api/admin/repositories': groupAdmin,
  'POST /api/admin/repositories': groupAdmin,
  'GET /api/admin/repositories/{id}': groupAdmin,
  'PUT /api/admin/repositories/{id}': groupAdmin,
  'PATCH /api/admin/repositories/{id}': groupAdmin,
  'DELETE /api/admin/repositories/{id}': groupAdmin,
  'GET /api/admin/packages': groupAdmin,
  'POST /api/admin/packages': groupAdmin,
  'GET /api/admin/packages/{id}': groupAdmin,
  'PUT /api/admin/packages/{id}': groupAdmin,
  'PATCH /api/admin/packages/{id}': groupAdmin,
  'DELETE /api/admin/packages/{id}': groupAdmin,
  'GET /api/admin/packages/{package_id}/usages': groupAdmin,
  'POST /api/admin/internal/repositories/verify_connection': groupAdmin,
  'POST /api/admin/internal/packages/verify_connection': groupAdmin,
};

const PIPELINE_GROUP = 'sample';
const sampleOf = (name: string) => kinds.find((kind) => kind.name === name)!.sample.body(1);
const approved = ({ stages, ...more }: Record<string, unknown>) => ({
  ...more,
  stages: (stages as object[]).map((stage) => ({ ...stage, approval: APPROVAL })),
});

let server: TestServer;
let callers: Readonly<Record<Caller, string>>;
let operations: ReadonlyMap<string, Operation>;
before(async () => {
  server = await startServer();
  operations = new Map((await OpenApi.of(server)).operations.map((operation) => [operation.name, operation]));
  callers = await createCallers(server, { group: PIPELINE_GROUP, template: approved(sampleOf('templates')) });
  for (const { name, shape, path, sample } of kinds) {
    if (shape === 'singleton' || name === 'pipelineGroups' || name === 'templates') continue;
    for (const [neededPath, needed] of Object.entries(sample.needs ?? {})) accepted(await server.post(neededPath, needed));
    const body = name === 'pipelines' ? { ...approved(sample.body(1)), group: PIPELINE_GROUP } : sample.body(1);
    accepted(await server.post(path, sample.wrap?.(body) ?? body));
  }
});
after(() => server.stop());

describe('the table', () => {
  test('names every route of the server, and no other', () => {
    assert.deepEqual(Object.keys(TABLE).toSorted(), [...operations.keys()].toSorted());
  });

  for (const [route, rule] of Object.entries(TABLE)) {
    test(`${route} lets in the callers of the table`, async () => {
      const [method, path] = route.split(' ') as [string, string];
      const request = operations.get(route)?.request;
      const thing = String((path.includes('{') ? 'sample' : (request?.example?.id ?? request?.example?.name)) ?? '');
      const address = path.replaceAll(/\{\w*counter\}/g, '1').replaceAll(/\{\w+\}/g, 'sample') + (method === 'GET' ? '' : '?dry_run=true');
      const content = request?.example === undefined ? {} : await contentOf(request);
      const verdicts = CALLERS.map(async (caller) => [
        caller,
        verdictOf(
          await server.ask(method, address, { as: callers[caller], ...content, headers: { 'X-Svc-Confirm': 'true', ...content.headers } }),
        ),
      ]);
      assert.deepEqual(
        Object.fromEntries(await Promise.all(verdicts)),
        Object.fromEntries(CALLERS.map((caller) => [caller, expected(rule, caller, thing)])),
      );
    });
  }
});

const LET_IN = 'let in';

function verdictOf({ status, json }: Reply): unknown {
  if (status !== 401 && status !== 403) return status < 500 ? LET_IN : status;
  return { status, message: json.message };
}

function expected(
  { allowed, refusalMessage, othersStatus = 403, tokenMessage, refusesTokensFirst, allowedMessage, hasNoLogin, wantsProof }: Rule,
  caller: Caller,
  thing: string,
): unknown {
  if (wantsProof !== undefined) return { status: 401, message: wantsProof(callers[caller]) };
  if (allowed.includes(caller)) return allowedMessage === undefined ? LET_IN : { status: 403, message: allowedMessage };
  if (caller === 'anonymous') return { status: 401, message: 'You are not authenticated!' };
  if (caller === 'disabled user') return { status: 401, message: 'Your account has been disabled by the administrator' };
  const isKeptOutAsToken = tokenMessage !== undefined && allowed.some((one) => loginOf(one) === loginOf(caller));
  if (refusesTokensFirst && caller.endsWith('token')) return { status: 403, message: tokenMessage };
  if (isKeptOutAsToken) return { status: hasNoLogin ? 401 : 403, message: tokenMessage };
  if (typeof refusalMessage === 'function') return { status: 403, message: refusalMessage(loginOf(caller)) };
  if (typeof refusalMessage !== 'object') return { status: othersStatus, message: refusalMessage };
  const { action, type } = refusalMessage;
  return { status: 403, message: `User '${loginOf(caller)}' does not have permissions to ${action} '${thing}' ${type}(s).` };
}

/** Routes without `at`: they show no configuration, or more than the change log knows of other times. */
const OF_NOW_ONLY = [
  'GET /agent/v1/jobs/{job}/fetches/{fetch}/file',
  'GET /agent/v1/jobs/{job}/fetches/{fetch}/files',
  'GET /',
  'GET /about',
  'GET /artifact_view/{address}',
  'GET /api/admin/access_tokens',
  'GET /api/admin/access_tokens/{id}',
  'GET /api/admin/artifacts/purge_preview',
  'GET /api/admin/artifacts/usage',
  'GET /api/admin/config/entities/{resource}/history',
  'GET /api/admin/config/entities/{resource}/{id}/history',
  'GET /api/admin/config/revisions',
  'GET /api/admin/config/revisions/{revision}',
  'GET /api/admin/config/{md5}.xml',
  'GET /api/admin/config_repos/{id}/parses',
  'GET /api/admin/config_repos/{id}/sources',
  'GET /api/admin/config_repos/{id}/status',
  'GET /api/admin/events',
  'GET /api/admin/events/verification',
  'GET /api/admin/internal/member_names',
  'GET /api/admin/maintenance_mode/info',
  'GET /api/admin/maintenance_mode/wait',
  'GET /api/admin/plugin_info',
  'GET /api/admin/replicas',
  'GET /api/admin/support_bundle',
  'GET /api/admin/plugin_info/{plugin_id}',
  'GET /api/admin/webhooks/{id}/deliveries',
  'GET /api/admin/agent_registration',
  'GET /api/agents',
  'GET /api/agents/{uuid}',
  'GET /api/agents/{uuid}/job_run_history',
  'GET /api/auth/permissions',
  'GET /api/dashboard',
  'GET /api/dashboard/rows',
  'GET /api/dashboard/views',
  'GET /cctray.xml',
  'GET /api/feed/pipelines.xml',
  'GET /api/feed/jobs/scheduled.xml',
  'GET /api/feed/pipelines/{pipeline_name}/stages.xml',
  'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}.xml',
  'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}.xml',
  'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}.xml',
  'GET /api/backups',
  'GET /api/backups/{id}',
  'GET /api/backups/{id}/manifest',
  'GET /api/config-repository.git/info/refs',
  'GET /api/config-repository.git/objects/{folder}/{file}',
  'GET /api/config/pipeline_groups',
  'GET /api/current_user',
  'GET /api/current_user/access_tokens',
  'GET /api/current_user/access_tokens/{id}',
  'GET /api/current_user/sessions',
  'GET /api/admin/sessions',
  'GET /api/login_sources',
  'GET /api/session',
  'GET /auth/callback/{auth_config_id}',
  'GET /auth/login/{auth_config_id}',
  'GET /api/token_scopes',
  'GET /api/admin/service_accounts',
  'GET /api/admin/service_accounts/{name}',
  'GET /api/admin/service_accounts/{name}/access_tokens',
  'GET /api/admin/service_accounts/{name}/access_tokens/{id}',
  'GET /api/docs',
  'GET /api/docs/{chapter}',
  'GET /api/forms',
  'GET /api/forms/{resource}',
  'GET /api/internal/config_repos',
  'GET /api/internal/materials',
  'GET /api/internal/materials/{fingerprint}/modifications',
  'GET /api/internal/materials/{fingerprint}/usages',
  'GET /api/materials/{fingerprint}/value_stream_map/{revision}',
  'GET /api/pipelines/{pipeline_name}/compare/{from_counter}/{to_counter}',
  'GET /api/pipelines/{pipeline_name}/statistics',
  'GET /api/pipelines/{pipeline_name}/{pipeline_counter}/value_stream_map',
  'GET /pipelines/value_stream_map/{pipeline_name}/{pipeline_counter}.json',
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}',
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/artifact_view',
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console',
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console/search',
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console/sections',
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/tests',
  'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/why',
  'GET /api/jobs/{pipeline_name}/{stage_name}/{job_name}/history',
  'GET /api/live',
  'GET /api/materials/{fingerprint}/modifications',
  'GET /api/materials/{fingerprint}/modifications/{offset}',
  'GET /api/notification_filters',
  'GET /api/notification_filters/{id}',
  'GET /api/openapi.json',
  'GET /api/pipelines/{pipeline_name}/history',
  'GET /api/pipelines/{pipeline_name}/status',
  'GET /api/pipelines/{pipeline_name}/tests',
  'GET /api/pipelines/{pipeline_name}/tests/history',
  'GET /api/pipelines/{pipeline_name}/trigger_options',
  'GET /api/pipelines/{pipeline_name}/why',
  'GET /api/pipelines/{pipeline_name}/{pipeline_counter}',
  'GET /api/pipelines/{pipeline_name}/{pipeline_counter}/instance',
  'GET /api/server_health_messages',
  'GET /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}',
  'GET /api/stages/{pipeline_name}/{stage_name}/history',
  'GET /api/users',
  'GET /api/users/{login_name}',
  'GET /api/v1/health',
  'GET /api/v1/ready',
  'GET /api/version',
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}',
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}.json',
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/cruise-output/console.log',
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}',
  'GET /is_backup_finished.json',
  'GET /metrics',
];

describe('`?at=`', () => {
  test('shows the past on every GET of configuration, and is refused everywhere else', async () => {
    const documented = [...operations.values()].filter(({ parameters }) => parameters.some(({ name }) => name === 'at'));
    const expectedToShow = Object.keys(TABLE).filter((route) => route.startsWith('GET ') && !OF_NOW_ONLY.includes(route));
    assert.deepEqual(documented.map(({ name }) => name).toSorted(), expectedToShow.toSorted());
    for (const { name, method, path } of operations.values()) {
      const { status, json, text } = await server.ask(method, `${path.replaceAll(/\{\w+\}/g, 'sample')}?at=yesterday`);
      assert.equal(status, 400, `${name}: ${text}`);
      const isShown = expectedToShow.includes(name);
      assert.match(json.message, isShown ? /^Value `yesterday` is not allowed .* `at`/ : /^The query parameter `at` is not allowed here: /);
    }
  });
});

describe('an entity that the caller may not see', () => {
  /** Existing entities by the beginning of their path or by their parameter, where the name is not that of all samples. */
  let existing: Readonly<Record<string, string>>;
  before(async () => {
    accepted(await server.put('/api/config/mailserver', sampleOf('mailServer'))); // without one, filters refuse all users
    const { json } = accepted(await server.get('/api/config/materials'));
    const filter = { pipeline: '[Any Pipeline]', stage: '[Any Stage]', event: 'All', match_commits: true };
    existing = {
      '/api/notification_filters/': String(accepted(await server.post('/api/notification_filters', filter)).json.id),
      '/api/current_user/access_tokens/': String(
        accepted(await server.post('/api/current_user/access_tokens', { description: 'of an admin' })).json.id,
      ),
      fingerprint: json._embedded.materials[0].fingerprint,
      login_name: 'admin',
    };
  });
  after(async () => accepted(await server.delete('/api/config/mailserver')));

  /** Callers that see the material, and so may learn more than that it does not exist. */
  const MAY_SEE_MATERIAL = [
    ...['group viewer', 'group viewer by role'].map((caller) => `POST /api/internal/materials/{fingerprint}/trigger_update as ${caller}`),
    ...['group admin', 'group viewer', 'group viewer by role'].map(
      (caller) => `GET /api/materials/{fingerprint}/value_stream_map/{revision} as ${caller}`,
    ),
  ];

  const nameOfExisting = (path: string, parameter: string) =>
    Object.entries(existing).find(([place]) => path.startsWith(place) || place === parameter)?.[1] ?? 'sample';

  test('is answered like a missing one, on every route and for every caller', async () => {
    const differences: string[] = [];
    let compared = 0;
    for (const { name, method, path, request } of [...operations.values()].filter((operation) => operation.path.includes('{'))) {
      const content = request?.example === undefined ? {} : await contentOf(request);
      const headers = { ...content.headers, 'If-Match': '*', 'X-Svc-Confirm': 'true' };
      const there = nameOfExisting(path, /\{(\w+)\}/.exec(path)![1]!);
      const missing = /^\d+$/.test(there) ? '987654' : 'ghost';
      for (const caller of USERS.filter((one) => !ADMINS.includes(one))) {
        /** The answer about something of this name, without the name. */
        const answerAbout = async (thing: string) => {
          const address = path.replace('{offset}', '0').replaceAll(/\{\w+\}/g, thing);
          const query = method === 'GET' ? '' : '?dry_run=true';
          const { status, text } = await server.ask(method, address + query, { ...content, as: callers[caller], headers });
          return { status, text: text.replaceAll(thing, '…') };
        };
        const answer = await answerAbout(there);
        if (![401, 403, 404].includes(answer.status) || MAY_SEE_MATERIAL.includes(`${name} as ${caller}`)) continue;
        compared++;
        const other = await answerAbout(missing);
        if (other.status !== answer.status || other.text !== answer.text)
          differences.push(`${name} as ${caller}: ${answer.status} ${answer.text}, but ${other.status} ${other.text}`);
      }
    }
    assert.deepEqual(differences, []);
    assert.ok(compared > 1000, `${compared} compared`);
  });
});

/** The requests that a form on any page can send: the browser adds the login, but neither a header nor another content type. */
const FORMS: readonly Ask[] = [
  {},
  { text: 'name=sample', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  { text: '--x\r\n\r\n--x--\r\n', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } },
  { text: '{"name":"sample"}', headers: { 'Content-Type': 'text/plain' } },
];
/** Routes that a form reaches, because nothing comes of it: they change nothing, or ask for another proof than the login. */
const REACHED_BY_FORMS = [
  'POST /agent/v1/jobs/{job}/artifacts/publication',
  'POST /agent/v1/jobs/{job}/fetches/{fetch}/archive',
  'PUT /agent/v1/jobs/{job}/artifacts/file',
  'PUT /agent/v1/jobs/{job}/artifacts/archive',
  'POST /agent/v1/jobs/{job}/reports',
  'POST /agent/v1/poll',
  'PUT /agent/v1/jobs/{job}/console',
  // No form sends it: a browser asks the server first, which never says yes.
  'PUT /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}',
  'POST /api/admin/config_repo_ops/preflight',
  'POST /api/config-repository.git/git-receive-pack',
  'POST /auth/backchannel_logout/{auth_config_id}',
  ...['github', 'gitlab', 'bitbucket', 'hosted_bitbucket'].flatMap((service) => [
    `POST /api/webhooks/${service}/notify`,
    `POST /api/webhooks/${service}/config_repos/{id}`,
  ]),
];

describe('a page of another site', () => {
  const writes = () => [...operations.values()].filter(({ method }) => method !== 'GET');
  const addressOf = (path: string) => `${path.replaceAll(/\{\w+\}/g, 'sample')}?dry_run=true`;

  test('reaches no route by a form, unless nothing comes of it', async () => {
    const reached: string[] = [];
    accepted(await server.put('/api/config/mailserver', sampleOf('mailServer'))); // without one, filters refuse all users
    // A browser sends no DELETE without asking the server first, and this one never answers that with a yes.
    for (const { name, method, path } of writes().filter((operation) => operation.method !== 'DELETE')) {
      const replies = await Promise.all(FORMS.map((form) => server.ask(method, addressOf(path), form)));
      const isKeptOut = ({ status, json }: Reply) => status === 415 || (status === 400 && /^Missing required header/.test(json.message));
      if (!replies.every(isKeptOut)) reached.push(name);
    }
    accepted(await server.delete('/api/config/mailserver'));
    assert.deepEqual(reached.toSorted(), REACHED_BY_FORMS.toSorted());
  });

  test('changes nothing by a script either, also where it may send headers and JSON', async () => {
    const crossSite: Readonly<Record<string, string>>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: server.url },
    ];
    for (const { name, method, path, request } of writes()) {
      const content = request?.example === undefined ? {} : await contentOf(request);
      const ask = (headers: Readonly<Record<string, string>>) =>
        server.ask(method, addressOf(path), { ...content, headers: { ...content.headers, 'X-Svc-Confirm': 'true', ...headers } });
      for (const headers of crossSite) {
        const { status, json } = await ask(headers);
        assert.equal(status, 403, name);
        assert.equal(json.message, 'Sec-Fetch-Site' in headers ? CROSS_SITE : CROSS_ORIGIN);
      }
      const own = await ask({ Origin: server.url, 'Sec-Fetch-Site': 'same-origin' });
      assert.ok(![CROSS_SITE, CROSS_ORIGIN].includes(own.json?.message), `${name}: ${own.text}`);
    }
  });

  test('counts as such if it is under none of the site URLs, also behind a proxy that hides the host', async () => {
    const asPage = (origin: string) =>
      server.post('/api/admin/environments?dry_run=true', { name: 'paged' }, { headers: { Origin: origin } });
    assert.equal((await asPage('https://cd.example.org')).status, 403);
    accepted(await server.put('/api/admin/config/server/site_urls', { site_url: '', secure_site_url: 'https://cd.example.org/cd' }));
    accepted(await asPage('https://cd.example.org'));
    assert.equal((await asPage('http://cd.example.org')).status, 403);
    accepted(await server.put('/api/admin/config/server/site_urls', { site_url: '', secure_site_url: '' }));
  });

  test('may let its readers read, as any link does', async () => {
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    const reply = accepted(await server.get('/api/version', { headers }));
    assert.equal(reply.headers.get('access-control-allow-origin'), null);
    assert.equal((await server.ask('OPTIONS', '/api/version', { headers })).status, 404);
  });
});

test('a server with a route that says nothing of permission does not start', async () => {
  const careless = {
    method: 'GET',
    path: '/api/careless',
    version: 1,
    description: { chapter: 'version', summary: 'Forgot to say who may' },
    handle: () => ({ status: 200 }),
  } as unknown as Route;
  const start = async () => await (await TestServer.start({}, { routes: [careless] })).stop();
  await assert.rejects(start, /permission/);
});

const ENVIRONMENTS = '/api/admin/environments';
const CLUSTERS = '/api/admin/elastic/cluster_profiles';
const PROFILES = '/api/elastic/profiles';
const ROLES = '/api/admin/security/roles';
const GROUPS = '/api/admin/pipeline_groups';
const policyText = (login: string, action: Action, thing: string, type: PolicyType) =>
  `User '${login}' does not have permissions to ${action} '${thing}' ${type}(s).`;

async function namesIn(path: string, as: string): Promise<string[]> {
  const { json } = accepted(await server.get(path, { as }));
  const [members] = Object.values(json._embedded) as Record<string, string>[][];
  return members!.map((member) => member.id ?? member.name!).toSorted();
}

function refused(reply: Reply, message: string): void {
  assert.equal(reply.status, 403, reply.text);
  assert.equal(reply.json.message, message);
}

describe('policies', () => {
  before(async () => {
    for (const name of ['dev-1', 'dev-2', 'prod-1']) accepted(await server.post(ENVIRONMENTS, { name }));
    accepted(await server.post(CLUSTERS, { ...sampleOf('clusterProfiles'), id: 'vault' }));
    for (const [id, cluster_profile_id] of Object.entries({ small: 'farm', large: 'farm', safe: 'vault' })) {
      accepted(await server.post(PROFILES, { ...sampleOf('elasticProfiles'), id, cluster_profile_id }));
    }
    const repo = { plugin_id: 'yaml.config.plugin', configuration: [], rules: [] };
    for (const id of ['team-a', 'team-b']) {
      const material = { type: 'git', attributes: { url: `https://scm.example.org/${id}.git` } };
      accepted(await server.post('/api/admin/config_repos', { ...repo, id, material }));
    }
  });

  test('a list shows each user their part, under an ETag of its own', async () => {
    const as = await addUser(server, 'reader');
    await addRole(
      server,
      'readers',
      ['Reader'],
      'allow view environment DEV-*',
      'allow administer config_repo team-?',
      'allow view elastic_agent_profile f*:s*',
    );
    assert.deepEqual(await namesIn(ENVIRONMENTS, as), ['dev-1', 'dev-2']);
    assert.deepEqual(await namesIn('/api/admin/config_repos', as), ['team-a', 'team-b']);
    assert.deepEqual(await namesIn(PROFILES, as), ['sample', 'small']);
    assert.deepEqual(await namesIn(CLUSTERS, as), ['farm']);
    accepted(await server.post('/api/admin/pipeline_groups', { name: 'shown', authorization: { view: { users: ['reader'] } } }));
    accepted(await server.post('/api/admin/pipelines', { group: 'shown', pipeline: smallPipeline('seen') }));
    const { auto_completion: names } = accepted(await server.get('/api/internal/config_repos', { as })).json;
    assert.deepEqual(names, [
      { key: 'environment', value: ['dev-1', 'dev-2'] },
      { key: 'pipeline_group', value: ['shown'] },
      { key: 'pipeline', value: ['seen'] },
    ]);
    const part = await server.get(ENVIRONMENTS, { as });
    assert.notEqual(part.etag, (await server.get(ENVIRONMENTS)).etag);
    assert.equal((await server.get(ENVIRONMENTS, { as, headers: { 'If-None-Match': part.etag! } })).status, 304);
    const { permissions } = (await server.get('/api/auth/permissions?type=environment,elastic_agent_profile', { as })).json;
    assert.deepEqual(permissions, {
      elastic_agent_profile: { view: ['sample', 'small'], administer: [] },
      environment: { view: ['dev-1', 'dev-2'], administer: [] },
    });
  });

  test('a policy on a cluster covers its profiles, but not the other way round', async () => {
    const as = await addUser(server, 'keeper');
    await addRole(server, 'keepers', ['keeper'], 'allow administer cluster_profile vault');
    assert.deepEqual(await namesIn(PROFILES, as), ['safe']);
    accepted(
      await server.put(`${PROFILES}/safe`, { ...sampleOf('elasticProfiles'), id: 'safe', cluster_profile_id: 'vault' }, '*', { as }),
    );
    refused(await server.get(`${PROFILES}/small`, { as }), policyText('keeper', 'view', 'small', 'elastic_agent_profile'));
    const elsewhere = { ...sampleOf('elasticProfiles'), id: 'new', cluster_profile_id: 'farm' };
    refused(await server.post(PROFILES, elsewhere, { as }), policyText('keeper', 'administer', 'new', 'elastic_agent_profile'));
    const moved = { ...sampleOf('elasticProfiles'), id: 'safe', cluster_profile_id: 'farm' };
    assert.equal((await server.put(`${PROFILES}/safe`, moved, '*', { as })).status, 403);
    const owner = await addUser(server, 'owner');
    await addRole(server, 'owners', ['owner'], 'allow administer elastic_agent_profile vault:*');
    accepted(await server.get(`${CLUSTERS}/vault`, { as: owner }));
    refused(await server.delete(`${CLUSTERS}/vault`, { as: owner }), policyText('owner', 'administer', 'vault', 'cluster_profile'));
  });

  test('a deny in any role wins, but a deny to view is no deny to administer', async () => {
    const as = await addUser(server, 'torn');
    await addRole(server, 'a-allows', ['torn'], 'allow administer environment *');
    await addRole(server, 'b-denies', ['torn'], 'deny administer environment prod-*', 'deny view environment dev-2');
    refused(await server.delete(`${ENVIRONMENTS}/prod-1`, { as }), policyText('torn', 'administer', 'prod-1', 'environment'));
    refused(await server.get(`${ENVIRONMENTS}/prod-1`, { as }), policyText('torn', 'view', 'prod-1', 'environment'));
    refused(await server.get(`${ENVIRONMENTS}/dev-2`, { as }), policyText('torn', 'view', 'dev-2', 'environment'));
    accepted(await server.put(`${ENVIRONMENTS}/dev-2`, { name: 'dev-2' }, '*', { as }));
    const visible = await namesIn(ENVIRONMENTS, as);
    assert.ok(visible.includes('dev-1') && !visible.includes('dev-2') && !visible.includes('prod-1'));
  });

  test('in one role the first directive that matches decides', async () => {
    const as = await addUser(server, 'orderly');
    await addRole(server, 'in-order', ['orderly'], 'allow administer environment prod-1', 'deny administer environment *');
    accepted(await server.get(`${ENVIRONMENTS}/prod-1`, { as }));
    assert.equal((await server.get(`${ENVIRONMENTS}/dev-1`, { as })).status, 403);
  });

  test('a deny refuses a group administrator, but never a system administrator', async () => {
    const as = await addUser(server, 'boss');
    accepted(await server.post(GROUPS, { name: 'of-the-boss', authorization: { admins: { users: ['BOSS'] } } }));
    accepted(await server.get(`${PROFILES}/small`, { as }));
    await addRole(server, 'no-profiles', ['boss', 'admin'], 'deny administer elastic_agent_profile small');
    refused(await server.get(`${PROFILES}/small`, { as }), policyText('boss', 'view', 'small', 'elastic_agent_profile'));
    accepted(await server.get(`${PROFILES}/large`, { as }));
    assert.ok(!(await namesIn(PROFILES, as)).includes('small'));
    accepted(await server.get(`${PROFILES}/small`));
  });

  test('only users who may see or create an entity get 404 when it does not exist', async () => {
    const as = callers['plain user'];
    for (const [path, type] of [
      [PROFILES, 'elastic_agent_profile'],
      [ENVIRONMENTS, 'environment'],
      ['/api/admin/config_repos', 'config_repo'],
      [CLUSTERS, 'cluster_profile'],
    ] as const) {
      refused(await server.get(`${path}/ghost`, { as }), policyText('plain-user', 'view', 'ghost', type));
      assert.equal((await server.get(`${path}/ghost`, { as: callers[`view ${type}`] })).status, 404);
    }
    assert.equal((await server.get('/api/admin/pipelines/ghost', { as: callers['group admin'] })).status, 404);
    assert.equal((await server.get('/api/pipelines/ghost/status', { as: callers['group admin'] })).status, 404);
  });

  test('a user who may see profiles of one cluster does not learn of the others, but one who may create some does', async () => {
    const statuses = async (as: string, ...ids: string[]) =>
      Promise.all(ids.map(async (id) => (await server.get(`${PROFILES}/${id}`, { as })).status));
    const looker = await addUser(server, 'looker');
    await addRole(server, 'lookers', ['looker'], 'allow view elastic_agent_profile farm:s*');
    assert.deepEqual(await statuses(looker, 'small', 'safe', 'sound', 'large', 'ghost'), [200, 403, 403, 403, 403]);
    const maker = await addUser(server, 'maker');
    await addRole(server, 'makers', ['maker'], 'allow administer elastic_agent_profile vault:*');
    assert.deepEqual(await statuses(maker, 'safe', 'small', 'ghost'), [200, 403, 404]);
    const blocked = await addUser(server, 'blocked');
    await addRole(server, 'blockers', ['blocked'], 'deny administer elastic_agent_profile s*', 'allow administer elastic_agent_profile *');
    assert.deepEqual(await statuses(blocked, 'small', 'sound', 'large', 'ghost'), [403, 403, 200, 404]);
  });

  test('an entity to be created without a name is refused as incomplete before rights are checked', async () => {
    for (const [path, property] of Object.entries({
      [ENVIRONMENTS]: 'name',
      '/api/admin/config_repos': 'id',
      [CLUSTERS]: 'id',
      [PROFILES]: 'id',
    })) {
      const reply = await server.post(path, {}, { as: callers['plain user'] });
      assert.equal(reply.status, 422, `${path}: ${reply.text}`);
      assert.equal(reply.json.message, `Json \`{}\` does not contain property '${property}'`);
    }
  });

  test('a refusal calls the user by their display name', async () => {
    const as = givePassword(server, 'eve');
    accepted(await server.post('/api/users', { login_name: 'EVE' }));
    const { json } = accepted(await server.get('/api/current_user', { as }));
    assert.deepEqual([json.login_name, json.display_name], ['EVE', 'eve']);
    refused(await server.post(ENVIRONMENTS, { name: 'x' }, { as }), policyText('eve', 'administer', 'x', 'environment'));
  });
});

test('a changed role, group or list of administrators counts from the next request on, for passwords and tokens', async () => {
  const password = await addUser(server, 'climber');
  const token = await tokenOf(server, password);
  await addRole(server, 'climbers', ['climber']);
  const statuses = async (path: string) => [
    (await server.get(path, { as: password })).status,
    (await server.get(path, { as: token })).status,
  ];
  const setRole = async (...directives: string[]) =>
    accepted(await server.put(`${ROLES}/climbers`, roleBody('climbers', ['climber'], ...directives), '*'));
  assert.deepEqual(await statuses(`${ENVIRONMENTS}/sample`), [403, 403]);
  await setRole('allow view environment sample');
  assert.deepEqual(await statuses(`${ENVIRONMENTS}/sample`), [200, 200]);
  await setRole('deny view environment sample');
  assert.deepEqual(await statuses(`${ENVIRONMENTS}/sample`), [403, 403]);

  assert.deepEqual(await statuses('/api/admin/packages'), [403, 403]);
  accepted(await server.post(GROUPS, { name: 'climbed', authorization: { admins: { roles: ['CLIMBERS'] } } }));
  assert.deepEqual(await statuses('/api/admin/packages'), [200, 200]);
  accepted(await server.delete(`${GROUPS}/climbed`));
  assert.deepEqual(await statuses('/api/admin/packages'), [403, 403]);

  const appoint = async (operation: 'add' | 'remove') =>
    accepted(await server.patch('/api/admin/security/system_admins', { operations: { roles: { [operation]: ['climbers'] } } }));
  await appoint('add');
  assert.deepEqual(await statuses('/api/users'), [200, 200]);
  await appoint('remove');
  assert.deepEqual(await statuses('/api/users'), [403, 403]);
});

test('viewers of a group find it in the list of pipelines; users who may only operate it, or approve in it, do not', async () => {
  const visibleTo = async (caller: Caller) => {
    const { json } = accepted(await server.get('/api/admin/pipelines', { as: callers[caller] }));
    return json._embedded.groups.map(({ name, pipelines }: { name: string; pipelines: { name: string }[] }) => [name, pipelines[0]?.name]);
  };
  for (const caller of ['group admin', 'group viewer', 'group viewer by role'] as const)
    assert.deepEqual(await visibleTo(caller), [[PIPELINE_GROUP, 'sample']], caller);
  for (const caller of ['group operator', 'group operator by role', 'stage approver', 'stage approver by role', 'plain user'] as const)
    assert.deepEqual(await visibleTo(caller), [], caller);
});

describe('a group administrator', () => {
  test('works with elastic profiles, repositories and packages like an administrator', async () => {
    const as = callers['group admin'];
    const works = async (path: string, idMember: string, body: Record<string, unknown>) => {
      const { etag } = accepted(await server.post(path, body, { as }));
      accepted(await server.get(path, { as }));
      const member = `${path}/${body[idMember]}`;
      accepted(await server.put(member, body, etag, { as }));
      return async () => accepted(await server.delete(member, { as }));
    };
    const deleteProfile = await works(PROFILES, 'id', { ...sampleOf('elasticProfiles'), id: 'mine' });
    const deleteRepository = await works('/api/admin/repositories', 'repo_id', {
      ...sampleOf('packageRepositories'),
      repo_id: 'mine',
      name: 'mine',
      configuration: [{ key: 'REPO_URL', value: 'https://mine.example.org' }],
    });
    const deletePackage = await works('/api/admin/packages', 'id', {
      ...sampleOf('packages'),
      id: 'mine',
      name: 'mine',
      package_repo: { id: 'mine' },
    });
    accepted(await server.get('/api/admin/packages/mine/usages', { as }));
    for (const undo of [deletePackage, deleteRepository, deleteProfile]) await undo();
  });

  test('sees and changes the groups they administer, and no others', async () => {
    const as = callers['group admin'];
    accepted(await server.post(GROUPS, { name: 'foreign' }));
    assert.deepEqual(await namesIn(GROUPS, as), [PIPELINE_GROUP]);
    for (const name of ['foreign', 'ghost']) {
      refused(await server.get(`${GROUPS}/${name}`, { as }), ACTION);
      refused(await server.put(`${GROUPS}/${name}`, { name }, '*', { as }), ACTION);
      refused(await server.delete(`${GROUPS}/${name}`, { as }), ACTION);
    }
    const authorization = { view: { users: ['plain-user'] }, admins: { users: [loginOf('group admin')] } };
    accepted(await server.put(`${GROUPS}/SAMPLE`, { authorization }, '*', { as }));
  });

  test('creates no group, not even under the name of their own', async () => {
    for (const name of ['fresh', PIPELINE_GROUP]) refused(await server.post(GROUPS, { name }, { as: callers['group admin'] }), ACTION);
  });
});
