// Made from the OpenAPI document by tools/generate-client.ts. Do not change it by hand.
import type { Json } from '../json.ts';
import type {
  PlanOfAFile,
  NodeOfAMap,
  RegistrationOfAnAgent,
  RegisteredAgent,
  PollOfAnAgent,
  OrderToAnAgent,
  ReportOfAnAgent,
  CountedReport,
  FileOfAnAgent,
  FilesOfAnArchive,
  PublicationOfArtifacts,
  PublishedArtifacts,
  FilesOfAFetchTask,
  ConsoleOfAnAgent,
  Artifact,
  ArtifactRetention,
  ArtifactRetentionRequest,
  ArtifactRetentionRequestAsAMergePatch,
  ArtifactStore,
  ArtifactStoreRequest,
  ArtifactStoreRequestAsAMergePatch,
  ArtifactsConfig,
  ArtifactsConfigRequest,
  ArtifactsConfigRequestAsAMergePatch,
  BackupConfig,
  BackupConfigRequest,
  BackupConfigRequestAsAMergePatch,
  BackupExtensions,
  BackupExtensionsRequest,
  BackupExtensionsRequestAsAMergePatch,
  ClusterProfile,
  ClusterProfileRequest,
  ClusterProfileRequestAsAMergePatch,
  DefaultJobTimeout,
  DefaultJobTimeoutRequest,
  DefaultJobTimeoutRequestAsAMergePatch,
  MailServerConfig,
  MailServerConfigRequest,
  MailServerConfigRequestAsAMergePatch,
  PackageRepository,
  PackageRepositoryRequest,
  PackageRepositoryRequestAsAMergePatch,
  PipelineGroup,
  PipelineGroupRequest,
  PipelineGroupRequestAsAMergePatch,
  PluginSettings,
  PluginSettingsRequest,
  PluginSettingsRequestAsAMergePatch,
  SiteURLs,
  SiteURLsRequest,
  SiteURLsRequestAsAMergePatch,
  OutgoingWebhook,
  OutgoingWebhookRequest,
  OutgoingWebhookRequestAsAMergePatch,
  TemplateAuthorization,
  TemplateAuthorizationRequest,
  TemplateAuthorizationRequestAsAMergePatch,
  EnvironmentWithOrigins,
  UsageOfAnElasticAgentProfile,
  UsagesOfAnEntity,
  Operation,
  OutcomeOfABatch,
  FormInShort,
  Form,
  MaterialAndWhatIsKnownOfIt,
  ModificationOfAMaterial,
  Sources,
  ParseOfAConfigRepo,
  PreflightResult,
  WebhookSecretRequest,
  WebhookSecretRequestAsAMergePatch,
  CurrentUser,
  Rights,
  AccessToken,
  UserAccessToken,
  AccessTokenOfAServiceAccount,
  NewAccessToken,
  NewAccessTokenOfAServiceAccount,
  ServiceAccount,
  Session,
  Event,
  ResultOfACheckOfTheEvents,
  QueueOfAWebhook,
  DeliveryOfAnEvent,
  OutcomeOfATestDelivery,
  MaintenanceMode,
  DrainedServer,
  Revision,
  RevisionAndItsDifferences,
  NamedRevision,
  RevisionInTheHistoryOfAnEntity,
  FieldAndWhoSetIt,
  Plan,
  AppliedPlan,
  Reversal,
  Version,
  ServerHealthMessage,
  Run,
  JobAndWhatBelongsToIt,
  Job,
  FiguresOfARun,
  WhyAPipelineRuns,
  WhyAJobWaits,
  TestsOfAJob,
  TestsOfAPipeline,
  HistoryOfATest,
  JobOfAnAgent,
  StageRunToBePurged,
  DiskSpaceOfAPurge,
  ArtifactsOfAPipeline,
  AllArtifacts,
  LineOfAConsole,
  SectionsOfAConsole,
  MatchesInAConsole,
  AddressOfAnArtifactWithoutALogin,
  DashboardRows,
  ViewOfTheDashboard,
  Notices,
  AuthorizationConfiguration,
  AuthorizationConfigurationRequest,
  AuthorizationConfigurationRequestAsAMergePatch,
  ElasticAgentProfile,
  ElasticAgentProfileRequest,
  ElasticAgentProfileRequestAsAMergePatch,
  Package,
  PackageRequest,
  PackageRequestAsAMergePatch,
  SystemAdministrators,
  SystemAdministratorsRequest,
  Usages,
  Modification,
  NotificationFilter,
  Backup,
  ChangesOfAMaterial,
  EnvironmentConfig,
  EnvironmentConfigRequest,
  Role,
  RoleRequest,
  RoleRequestAsAMergePatch,
  SecretConfig,
  SecretConfigRequest,
  SecretConfigRequestAsAMergePatch,
  User,
  StageRun,
  ConfigRepo,
  ConfigRepoRequest,
  ConfigRepoRequestAsAMergePatch,
  SCM,
  SCMRequest,
  SCMRequestAsAMergePatch,
  Definitions,
  ConfigRepoWithTheStateOfItsParsing,
  NamesOfOneKind,
  GroupOnTheDashboard,
  EnvironmentOnTheDashboard,
  PipelineOnTheDashboard,
  TemplateRequest,
  Template,
  TemplateRequestAsAMergePatch,
  TemplateAndItsUsers,
  Plugin,
  Agent,
  PipelineConfig,
  PipelineConfigRequest,
  PipelineConfigRequestAsAMergePatch,
} from './schemas.ts';

export interface Operations {
  /** Show the artifact retention */
  readonly 'GET /api/admin/config/artifact_retention': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: ArtifactRetention;
  };

  /** Set the artifact retention */
  readonly 'PUT /api/admin/config/artifact_retention': {
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ArtifactRetentionRequest;
    readonly version: 1;
    readonly answer: ArtifactRetention;
  };

  /** Change parts of the artifact retention */
  readonly 'PATCH /api/admin/config/artifact_retention': {
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ArtifactRetentionRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: ArtifactRetention;
  };

  /** List of artifact stores */
  readonly 'GET /api/admin/artifact_stores': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly artifact_stores: readonly ArtifactStore[];
      };
    };
  };

  /** Create one artifact store */
  readonly 'POST /api/admin/artifact_stores': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: ArtifactStoreRequest;
    readonly version: 1;
    readonly answer: ArtifactStore;
  };

  /** Show one artifact store */
  readonly 'GET /api/admin/artifact_stores/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: ArtifactStore;
  };

  /** Replace one artifact store */
  readonly 'PUT /api/admin/artifact_stores/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ArtifactStoreRequest;
    readonly version: 1;
    readonly answer: ArtifactStore;
  };

  /** Delete one artifact store */
  readonly 'DELETE /api/admin/artifact_stores/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the artifact store */
  readonly 'PATCH /api/admin/artifact_stores/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ArtifactStoreRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: ArtifactStore;
  };

  /** Show the artifacts config */
  readonly 'GET /api/admin/config/server/artifact_config': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: ArtifactsConfig;
  };

  /** Set the artifacts config */
  readonly 'PUT /api/admin/config/server/artifact_config': {
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ArtifactsConfigRequest;
    readonly version: 1;
    readonly answer: ArtifactsConfig;
  };

  /** Change parts of the artifacts config */
  readonly 'PATCH /api/admin/config/server/artifact_config': {
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ArtifactsConfigRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: ArtifactsConfig;
  };

  /** List of authorization configurations */
  readonly 'GET /api/admin/security/auth_configs': {
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly auth_configs: readonly AuthorizationConfiguration[];
      };
    };
  };

  /** Create one authorization configuration */
  readonly 'POST /api/admin/security/auth_configs': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: AuthorizationConfigurationRequest;
    readonly version: 2;
    readonly answer: AuthorizationConfiguration;
  };

  /** Show one authorization configuration */
  readonly 'GET /api/admin/security/auth_configs/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: AuthorizationConfiguration;
  };

  /** Replace one authorization configuration */
  readonly 'PUT /api/admin/security/auth_configs/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: AuthorizationConfigurationRequest;
    readonly version: 2;
    readonly answer: AuthorizationConfiguration;
  };

  /** Delete one authorization configuration */
  readonly 'DELETE /api/admin/security/auth_configs/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the authorization configuration */
  readonly 'PATCH /api/admin/security/auth_configs/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: AuthorizationConfigurationRequestAsAMergePatch;
    readonly version: 2;
    readonly answer: AuthorizationConfiguration;
  };

  /** Show the backup config */
  readonly 'GET /api/config/backup': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: BackupConfig;
  };

  /** Set the backup config */
  readonly 'POST /api/config/backup': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: BackupConfigRequest;
    readonly version: 1;
    readonly answer: BackupConfig;
  };

  /** Set the backup config */
  readonly 'PUT /api/config/backup': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: BackupConfigRequest;
    readonly version: 1;
    readonly answer: BackupConfig;
  };

  /** Delete the backup config */
  readonly 'DELETE /api/config/backup': {
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the backup config */
  readonly 'PATCH /api/config/backup': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: BackupConfigRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: BackupConfig;
  };

  /** Show the backup extensions */
  readonly 'GET /api/config/backup/extensions': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: BackupExtensions;
  };

  /** Set the backup extensions */
  readonly 'POST /api/config/backup/extensions': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: BackupExtensionsRequest;
    readonly version: 1;
    readonly answer: BackupExtensions;
  };

  /** Set the backup extensions */
  readonly 'PUT /api/config/backup/extensions': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: BackupExtensionsRequest;
    readonly version: 1;
    readonly answer: BackupExtensions;
  };

  /** Delete the backup extensions */
  readonly 'DELETE /api/config/backup/extensions': {
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the backup extensions */
  readonly 'PATCH /api/config/backup/extensions': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: BackupExtensionsRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: BackupExtensions;
  };

  /** List of cluster profiles */
  readonly 'GET /api/admin/elastic/cluster_profiles': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly profiles: readonly ClusterProfile[];
        /** The same as `profiles`. */
        readonly cluster_profiles: readonly ClusterProfile[];
      };
    };
  };

  /** Create one cluster profile */
  readonly 'POST /api/admin/elastic/cluster_profiles': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: ClusterProfileRequest;
    readonly version: 1;
    readonly answer: ClusterProfile;
  };

  /** Show one cluster profile */
  readonly 'GET /api/admin/elastic/cluster_profiles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: ClusterProfile;
  };

  /** Replace one cluster profile */
  readonly 'PUT /api/admin/elastic/cluster_profiles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ClusterProfileRequest;
    readonly version: 1;
    readonly answer: ClusterProfile;
  };

  /** Delete one cluster profile */
  readonly 'DELETE /api/admin/elastic/cluster_profiles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the cluster profile */
  readonly 'PATCH /api/admin/elastic/cluster_profiles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ClusterProfileRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: ClusterProfile;
  };

  /** List of config repos */
  readonly 'GET /api/admin/config_repos': {
    readonly query: { readonly at?: string };
    readonly version: 4;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly config_repos: readonly ConfigRepo[];
      };
    };
  };

  /** Create one config repo */
  readonly 'POST /api/admin/config_repos': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: ConfigRepoRequest;
    readonly version: 4;
    readonly answer: ConfigRepo;
  };

  /** Show one config repo */
  readonly 'GET /api/admin/config_repos/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 4;
    readonly answer: ConfigRepo;
  };

  /** Replace one config repo */
  readonly 'PUT /api/admin/config_repos/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ConfigRepoRequest;
    readonly version: 4;
    readonly answer: ConfigRepo;
  };

  /** Delete one config repo */
  readonly 'DELETE /api/admin/config_repos/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 4;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the config repo */
  readonly 'PATCH /api/admin/config_repos/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ConfigRepoRequestAsAMergePatch;
    readonly version: 4;
    readonly answer: ConfigRepo;
  };

  /** List of elastic agent profiles */
  readonly 'GET /api/elastic/profiles': {
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly profiles: readonly ElasticAgentProfile[];
      };
    };
  };

  /** Create one elastic agent profile */
  readonly 'POST /api/elastic/profiles': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: ElasticAgentProfileRequest;
    readonly version: 2;
    readonly answer: ElasticAgentProfile;
  };

  /** Show one elastic agent profile */
  readonly 'GET /api/elastic/profiles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: ElasticAgentProfile;
  };

  /** Replace one elastic agent profile */
  readonly 'PUT /api/elastic/profiles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ElasticAgentProfileRequest;
    readonly version: 2;
    readonly answer: ElasticAgentProfile;
  };

  /** Delete one elastic agent profile */
  readonly 'DELETE /api/elastic/profiles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the elastic agent profile */
  readonly 'PATCH /api/elastic/profiles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: ElasticAgentProfileRequestAsAMergePatch;
    readonly version: 2;
    readonly answer: ElasticAgentProfile;
  };

  /** List of environment configs */
  readonly 'GET /api/admin/environments': {
    readonly query: { readonly at?: string };
    readonly version: 3;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly environments: readonly EnvironmentConfig[];
      };
    };
  };

  /** Create one environment config */
  readonly 'POST /api/admin/environments': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: EnvironmentConfigRequest;
    readonly version: 3;
    readonly answer: EnvironmentConfig;
  };

  /** Show one environment config */
  readonly 'GET /api/admin/environments/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 3;
    readonly answer: EnvironmentConfig;
  };

  /** Replace one environment config */
  readonly 'PUT /api/admin/environments/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: EnvironmentConfigRequest;
    readonly version: 3;
    readonly answer: EnvironmentConfig;
  };

  /** Delete one environment config */
  readonly 'DELETE /api/admin/environments/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the environment config */
  readonly 'PATCH /api/admin/environments/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** Changes of the pipelines. */
      readonly pipelines?: {
        /** The pipelines to add. */
        readonly add?: readonly string[];
        /** Names of the pipelines to remove. */
        readonly remove?: readonly string[];
      };
      /** Changes of the variables. */
      readonly environment_variables?: {
        /** The variables to add. */
        readonly add?: readonly {
          /** Name of the variable. */
          readonly name: string;
          /** Whether it is a secret. */
          readonly secure?: boolean;
          /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
          readonly value?: string;
          /** Instead of `value`: */
          readonly encrypted_value?: string;
        }[];
        /** Names of the variables to remove. */
        readonly remove?: readonly string[];
      };
    };
    readonly version: 3;
    readonly answer: EnvironmentConfig;
  };

  /** Show the default job timeout */
  readonly 'GET /api/admin/config/server/default_job_timeout': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: DefaultJobTimeout;
  };

  /** Set the default job timeout */
  readonly 'POST /api/admin/config/server/default_job_timeout': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: DefaultJobTimeoutRequest;
    readonly version: 1;
    readonly answer: DefaultJobTimeout;
  };

  /** Set the default job timeout */
  readonly 'PUT /api/admin/config/server/default_job_timeout': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: DefaultJobTimeoutRequest;
    readonly version: 1;
    readonly answer: DefaultJobTimeout;
  };

  /** Change parts of the default job timeout */
  readonly 'PATCH /api/admin/config/server/default_job_timeout': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: DefaultJobTimeoutRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: DefaultJobTimeout;
  };

  /** Show the mail server config */
  readonly 'GET /api/config/mailserver': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: MailServerConfig;
  };

  /** Set the mail server config */
  readonly 'POST /api/config/mailserver': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: MailServerConfigRequest;
    readonly version: 1;
    readonly answer: MailServerConfig;
  };

  /** Set the mail server config */
  readonly 'PUT /api/config/mailserver': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: MailServerConfigRequest;
    readonly version: 1;
    readonly answer: MailServerConfig;
  };

  /** Delete the mail server config */
  readonly 'DELETE /api/config/mailserver': {
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the mail server config */
  readonly 'PATCH /api/config/mailserver': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: MailServerConfigRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: MailServerConfig;
  };

  /** List of package repositories */
  readonly 'GET /api/admin/repositories': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly package_repositories: readonly PackageRepository[];
      };
    };
  };

  /** Create one package repository */
  readonly 'POST /api/admin/repositories': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: PackageRepositoryRequest;
    readonly version: 1;
    readonly answer: PackageRepository;
  };

  /** Show one package repository */
  readonly 'GET /api/admin/repositories/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: PackageRepository;
  };

  /** Replace one package repository */
  readonly 'PUT /api/admin/repositories/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PackageRepositoryRequest;
    readonly version: 1;
    readonly answer: PackageRepository;
  };

  /** Delete one package repository */
  readonly 'DELETE /api/admin/repositories/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the package repository */
  readonly 'PATCH /api/admin/repositories/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PackageRepositoryRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: PackageRepository;
  };

  /** List of packages */
  readonly 'GET /api/admin/packages': {
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly packages: readonly Package[];
      };
    };
  };

  /** Create one package */
  readonly 'POST /api/admin/packages': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: PackageRequest;
    readonly version: 2;
    readonly answer: Package;
  };

  /** Show one package */
  readonly 'GET /api/admin/packages/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: Package;
  };

  /** Replace one package */
  readonly 'PUT /api/admin/packages/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PackageRequest;
    readonly version: 2;
    readonly answer: Package;
  };

  /** Delete one package */
  readonly 'DELETE /api/admin/packages/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the package */
  readonly 'PATCH /api/admin/packages/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PackageRequestAsAMergePatch;
    readonly version: 2;
    readonly answer: Package;
  };

  /** List of pipeline groups */
  readonly 'GET /api/admin/pipeline_groups': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly groups: readonly PipelineGroup[];
      };
    };
  };

  /** Create one pipeline group */
  readonly 'POST /api/admin/pipeline_groups': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: PipelineGroupRequest;
    readonly version: 1;
    readonly answer: PipelineGroup;
  };

  /** Show one pipeline group */
  readonly 'GET /api/admin/pipeline_groups/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: PipelineGroup;
  };

  /** Replace one pipeline group */
  readonly 'PUT /api/admin/pipeline_groups/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PipelineGroupRequest;
    readonly version: 1;
    readonly answer: PipelineGroup;
  };

  /** Delete one pipeline group */
  readonly 'DELETE /api/admin/pipeline_groups/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the pipeline group */
  readonly 'PATCH /api/admin/pipeline_groups/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PipelineGroupRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: PipelineGroup;
  };

  /** Show one pipeline config */
  readonly 'GET /api/admin/pipelines/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 11;
    readonly answer: PipelineConfig;
  };

  /** Replace one pipeline config */
  readonly 'PUT /api/admin/pipelines/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PipelineConfigRequest;
    readonly version: 11;
    readonly answer: PipelineConfig;
  };

  /** Delete one pipeline config */
  readonly 'DELETE /api/admin/pipelines/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 11;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the pipeline config */
  readonly 'PATCH /api/admin/pipelines/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PipelineConfigRequestAsAMergePatch;
    readonly version: 11;
    readonly answer: PipelineConfig;
  };

  /** List of plugin settings */
  readonly 'GET /api/admin/plugin_settings': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly plugin_settings: readonly PluginSettings[];
      };
    };
  };

  /** Create one plugin settings */
  readonly 'POST /api/admin/plugin_settings': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: PluginSettingsRequest;
    readonly version: 1;
    readonly answer: PluginSettings;
  };

  /** Show one plugin settings */
  readonly 'GET /api/admin/plugin_settings/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: PluginSettings;
  };

  /** Replace one plugin settings */
  readonly 'PUT /api/admin/plugin_settings/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PluginSettingsRequest;
    readonly version: 1;
    readonly answer: PluginSettings;
  };

  /** Delete one plugin settings */
  readonly 'DELETE /api/admin/plugin_settings/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the plugin settings */
  readonly 'PATCH /api/admin/plugin_settings/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: PluginSettingsRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: PluginSettings;
  };

  /** List of roles */
  readonly 'GET /api/admin/security/roles': {
    readonly query: { readonly at?: string };
    readonly version: 3;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly roles: readonly Role[];
      };
    };
  };

  /** Create one role */
  readonly 'POST /api/admin/security/roles': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: RoleRequest;
    readonly version: 3;
    readonly answer: Role;
  };

  /** Show one role */
  readonly 'GET /api/admin/security/roles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 3;
    readonly answer: Role;
  };

  /** Replace one role */
  readonly 'PUT /api/admin/security/roles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: RoleRequest;
    readonly version: 3;
    readonly answer: Role;
  };

  /** Delete one role */
  readonly 'DELETE /api/admin/security/roles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the role */
  readonly 'PATCH /api/admin/security/roles/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: RoleRequestAsAMergePatch;
    readonly version: 3;
    readonly answer: Role;
  };

  /** List of SCMs */
  readonly 'GET /api/admin/scms': {
    readonly query: { readonly at?: string };
    readonly version: 4;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly scms: readonly SCM[];
      };
    };
  };

  /** Create one SCM */
  readonly 'POST /api/admin/scms': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: SCMRequest;
    readonly version: 4;
    readonly answer: SCM;
  };

  /** Show one SCM */
  readonly 'GET /api/admin/scms/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 4;
    readonly answer: SCM;
  };

  /** Replace one SCM */
  readonly 'PUT /api/admin/scms/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: SCMRequest;
    readonly version: 4;
    readonly answer: SCM;
  };

  /** Delete one SCM */
  readonly 'DELETE /api/admin/scms/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 4;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the SCM */
  readonly 'PATCH /api/admin/scms/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: SCMRequestAsAMergePatch;
    readonly version: 4;
    readonly answer: SCM;
  };

  /** List of secret configs */
  readonly 'GET /api/admin/secret_configs': {
    readonly query: { readonly at?: string };
    readonly version: 3;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly secret_configs: readonly SecretConfig[];
      };
    };
  };

  /** Create one secret config */
  readonly 'POST /api/admin/secret_configs': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: SecretConfigRequest;
    readonly version: 3;
    readonly answer: SecretConfig;
  };

  /** Show one secret config */
  readonly 'GET /api/admin/secret_configs/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 3;
    readonly answer: SecretConfig;
  };

  /** Replace one secret config */
  readonly 'PUT /api/admin/secret_configs/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: SecretConfigRequest;
    readonly version: 3;
    readonly answer: SecretConfig;
  };

  /** Delete one secret config */
  readonly 'DELETE /api/admin/secret_configs/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the secret config */
  readonly 'PATCH /api/admin/secret_configs/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: SecretConfigRequestAsAMergePatch;
    readonly version: 3;
    readonly answer: SecretConfig;
  };

  /** Show the site URLs */
  readonly 'GET /api/admin/config/server/site_urls': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: SiteURLs;
  };

  /** Set the site URLs */
  readonly 'POST /api/admin/config/server/site_urls': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: SiteURLsRequest;
    readonly version: 1;
    readonly answer: SiteURLs;
  };

  /** Set the site URLs */
  readonly 'PUT /api/admin/config/server/site_urls': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: SiteURLsRequest;
    readonly version: 1;
    readonly answer: SiteURLs;
  };

  /** Change parts of the site URLs */
  readonly 'PATCH /api/admin/config/server/site_urls': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: SiteURLsRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: SiteURLs;
  };

  /** Show the system administrators */
  readonly 'GET /api/admin/security/system_admins': {
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: SystemAdministrators;
  };

  /** Set the system administrators */
  readonly 'PUT /api/admin/security/system_admins': {
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: SystemAdministratorsRequest;
    readonly version: 2;
    readonly answer: SystemAdministrators;
  };

  /** Change parts of the system administrators */
  readonly 'PATCH /api/admin/security/system_admins': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** What to change. */
      readonly operations?: {
        /** Changes of the users. */
        readonly users?: {
          /** The users to add. */
          readonly add?: readonly string[];
          /** The users to remove. */
          readonly remove?: readonly string[];
        };
        /** Changes of the roles. */
        readonly roles?: {
          /** The roles to add. */
          readonly add?: readonly string[];
          /** The roles to remove. */
          readonly remove?: readonly string[];
        };
      };
    };
    readonly version: 2;
    readonly answer: SystemAdministrators;
  };

  /** Create one template */
  readonly 'POST /api/admin/templates': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: TemplateRequest;
    readonly version: 7;
    readonly answer: Template;
  };

  /** List of templates with the pipelines that use them */
  readonly 'GET /api/admin/templates': {
    readonly query: { readonly at?: string };
    readonly version: 7;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly templates: readonly TemplateAndItsUsers[];
      };
    };
  };

  /** Show one template */
  readonly 'GET /api/admin/templates/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 7;
    readonly answer: Template;
  };

  /** Replace one template */
  readonly 'PUT /api/admin/templates/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: TemplateRequest;
    readonly version: 7;
    readonly answer: Template;
  };

  /** Delete one template */
  readonly 'DELETE /api/admin/templates/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 7;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the template */
  readonly 'PATCH /api/admin/templates/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: TemplateRequestAsAMergePatch;
    readonly version: 7;
    readonly answer: Template;
  };

  /** List of outgoing webhooks */
  readonly 'GET /api/admin/webhooks': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly webhooks: readonly OutgoingWebhook[];
      };
    };
  };

  /** Create one outgoing webhook */
  readonly 'POST /api/admin/webhooks': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: OutgoingWebhookRequest;
    readonly version: 1;
    readonly answer: OutgoingWebhook;
  };

  /** Show one outgoing webhook */
  readonly 'GET /api/admin/webhooks/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: OutgoingWebhook;
  };

  /** Replace one outgoing webhook */
  readonly 'PUT /api/admin/webhooks/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: OutgoingWebhookRequest;
    readonly version: 1;
    readonly answer: OutgoingWebhook;
  };

  /** Delete one outgoing webhook */
  readonly 'DELETE /api/admin/webhooks/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Change parts of the outgoing webhook */
  readonly 'PATCH /api/admin/webhooks/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: OutgoingWebhookRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: OutgoingWebhook;
  };

  /** Try out an authorization configuration without saving it */
  readonly 'POST /api/admin/internal/security/auth_configs/verify_connection': {
    readonly body: AuthorizationConfigurationRequest;
    readonly version: 2;
    readonly answer: {
      readonly status: 'success';
      /** The result in words. */
      readonly message: string;
      /** What was checked. */
      readonly auth_config: {
        /** What it is called; others refer to it by this. */
        readonly id?: string;
        /** The plugin whose settings these are. */
        readonly plugin_id?: string;
        /** Whether only users whom an administrator has added may log in. */
        readonly allow_only_known_users_to_login?: boolean;
        /** Settings of the plugin. */
        readonly properties?: readonly {
          /** Name of the setting. */
          readonly key: string;
          /** In clear. */
          readonly value?: string;
          /** Instead of `value`: */
          readonly encrypted_value?: string;
        }[];
      };
    };
  };

  /** Try out a package repository without saving it */
  readonly 'POST /api/admin/internal/repositories/verify_connection': {
    readonly body: PackageRepositoryRequest;
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
      /** What was checked. */
      readonly package_repository: {
        /** What it is called; others refer to it by this. */
        readonly repo_id?: string;
        /** Unique among repositories, case-insensitive. */
        readonly name?: string | null;
        /** The plugin it belongs to. */
        readonly plugin_metadata?: {
          /** The plugin. */
          readonly id?: string | null;
          /** Its version; for information only. */
          readonly version?: string | null;
        };
        /** Settings of the plugin. */
        readonly configuration?: readonly {
          /** Name of the setting. */
          readonly key: string;
          /** In clear. */
          readonly value?: string;
          /** Instead of `value`: */
          readonly encrypted_value?: string;
        }[];
      };
    };
  };

  /** Try out a package without saving it */
  readonly 'POST /api/admin/internal/packages/verify_connection': {
    readonly body: PackageRequest;
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
      /** What was checked. */
      readonly package: {
        /** Unique in its repository, case-insensitive. */
        readonly name?: string | null;
        /** What it is called; others refer to it by this. */
        readonly id?: string;
        /** Whether to poll for new versions. */
        readonly auto_update?: boolean;
        /** The repository it is in. */
        readonly package_repo?: {
          /** The id of the repository. */
          readonly id: string;
          /** Its name. */
          readonly name?: string;
        };
        /** Settings of the plugin. */
        readonly configuration?: readonly {
          /** Name of the setting. */
          readonly key: string;
          /** In clear. */
          readonly value?: string;
          /** Instead of `value`: */
          readonly encrypted_value?: string;
        }[];
      };
    };
  };

  /** Try out an SCM without saving it */
  readonly 'POST /api/admin/internal/scms/verify_connection': {
    readonly body: SCMRequest;
    readonly version: 4;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
      /** What was checked. */
      readonly scm: {
        /** What it is called; others refer to it by this. */
        readonly id?: string;
        /** Unique, case-insensitive. */
        readonly name?: string | null;
        /** Whether to poll for changes regularly. */
        readonly auto_update?: boolean;
        /** Where it is defined. */
        readonly origin?: {
          /** Where it is, where it is documented, how others are found. */
          readonly _links?: { readonly [name: string]: {
              /** The address. */
              readonly href: string;
            } };
          /** `gocd`: */
          readonly type?: 'gocd' | 'config_repo';
          /** The config repo; absent if it is not a config repo. */
          readonly id?: string;
        };
        /** The plugin it belongs to. */
        readonly plugin_metadata?: {
          /** The plugin. */
          readonly id?: string | null;
          /** Its version; for information only. */
          readonly version?: string | null;
        };
        /** Settings of the plugin. */
        readonly configuration?: readonly {
          /** Name of the setting. */
          readonly key: string;
          /** In clear. */
          readonly value?: string;
          /** Instead of `value`: */
          readonly encrypted_value?: string;
        }[];
      };
    };
  };

  /** Try out a repository for a pipeline without saving it */
  readonly 'POST /api/admin/internal/pipelines/verify_connection': {
    readonly body: {
      /** The material: */
      readonly material: { readonly [name: string]: Json };
      /** The group of the pipeline. */
      readonly group?: string;
      /** The pipeline; empty: */
      readonly name?: string;
      /** Its parameters. */
      readonly parameters?: readonly {
        /** Its name. */
        readonly name: string;
        /** Its value. */
        readonly value: string;
      }[];
    };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Try out a repository for a config repo without saving it */
  readonly 'POST /api/admin/internal/config_repos/verify_connection': {
    readonly body: {
      /** The material: */
      readonly material: { readonly [name: string]: Json };
      /** The config repo; empty: */
      readonly id?: string;
    };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Send a test mail to the administrator, without saving anything */
  readonly 'POST /api/config/mailserver/test': {
    readonly body: MailServerConfigRequest;
    readonly version: 1;
    readonly answer: {
      /** null: */
      readonly message: null;
    };
  };

  /** Create a pipeline in a group; a group that does not exist is created too */
  readonly 'POST /api/admin/pipelines': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The pipeline group; created when there is none of this name. */
      readonly group: string;
      /** The pipeline. */
      readonly pipeline: PipelineConfigRequest;
    };
    readonly version: 11;
    readonly answer: PipelineConfig;
  };

  /** List of pipelines by group */
  readonly 'GET /api/admin/pipelines': {
    readonly query: { readonly search?: string; readonly group?: string; readonly page_size?: number; readonly after?: string; readonly cursor?: string; readonly fields?: string; readonly at?: string };
    readonly version: 11;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly groups: readonly {
          /** The name of the group. */
          readonly name: string;
          /** The pipelines of the group. */
          readonly pipelines: readonly ({
            /** Where it is, where it is documented, how others are found. */
            readonly _links: { readonly [name: string]: {
                /** The address. */
                readonly href: string;
              } };
            /** The name of the pipeline. */
            readonly name: string;
          } & { readonly [name: string]: Json | undefined })[];
        }[];
      };
    };
  };

  /** The parameters a template uses */
  readonly 'GET /api/admin/templates/{template_name}/parameters': {
    readonly path: { readonly template_name: string | number };
    readonly query: { readonly at?: string };
    readonly version: 7;
    readonly answer: {
      /** The name of the template. */
      readonly name: string;
      /** The parameters that it uses. */
      readonly parameters: readonly string[];
    };
  };

  /** Who may administer and see a template */
  readonly 'GET /api/admin/templates/{template_name}/authorization': {
    readonly path: { readonly template_name: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: TemplateAuthorization;
  };

  /** Set who may administer and see a template */
  readonly 'PUT /api/admin/templates/{template_name}/authorization': {
    readonly path: { readonly template_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: TemplateAuthorizationRequest;
    readonly version: 1;
    readonly answer: TemplateAuthorization;
  };

  /** Change some of who may administer and see a template */
  readonly 'PATCH /api/admin/templates/{template_name}/authorization': {
    readonly path: { readonly template_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: TemplateAuthorizationRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: TemplateAuthorization;
  };

  /** Turn the stages of a pipeline into a template that it uses from then on */
  readonly 'PUT /api/admin/pipelines/{id}/extract_to_template': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The name of the new template. */
      readonly template_name: string;
    };
    readonly version: 11;
    readonly answer: PipelineConfig;
  };

  /** List of environments, with the place where each of their parts is defined */
  readonly 'GET /api/admin/internal/environments/merged': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** The content of the answer. */
      readonly _embedded: {
        /** The environments. */
        readonly environments: readonly EnvironmentWithOrigins[];
      };
    };
  };

  /** Which pipelines use an SCM */
  readonly 'GET /api/admin/scms/{material_name}/usages': {
    readonly path: { readonly material_name: string | number };
    readonly query: { readonly at?: string };
    readonly version: 4;
    readonly answer: Usages;
  };

  /** Which pipelines use a package */
  readonly 'GET /api/admin/packages/{package_id}/usages': {
    readonly path: { readonly package_id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: Usages;
  };

  /** Which jobs use an elastic agent profile */
  readonly 'GET /api/internal/elastic/profiles/{id}/usages': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: readonly UsageOfAnElasticAgentProfile[];
  };

  /** What refers to an entity */
  readonly 'GET /api/admin/config/entities/{resource}/{id}/usages': {
    readonly path: { readonly resource: string | number; readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: UsagesOfAnEntity;
  };

  /** Encrypt a text for use in configuration */
  readonly 'POST /api/admin/encrypt': {
    readonly body: {
      /** The secret in clear. */
      readonly value: string;
      /** Where alone the cipher text opens: */
      readonly scope?: {
        /** The id of a config repo: */
        readonly config_repo?: string;
        /** The name of a pipeline group: */
        readonly pipeline_group?: string;
      };
      /** The address of a repository, or the port of Perforce. */
      readonly address?: string;
    };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The secret, encrypted for this server. */
      readonly encrypted_value: string;
    };
  };

  /** Encrypt text that was typed but not saved yet */
  readonly 'POST /api/current_user/sealed_drafts': {
    readonly body: {
      /** The form that the text was typed into. */
      readonly form: string;
      /** The text, of at most 500000 bytes. */
      readonly text: string;
    };
    readonly version: 1;
    readonly answer: {
      /** The encrypted text. */
      readonly sealed: string;
    };
  };

  /** Decrypt such a draft */
  readonly 'POST /api/current_user/sealed_drafts/open': {
    readonly body: {
      /** The form that the text was typed into. */
      readonly form: string;
      /** The encrypted text. */
      readonly sealed: string;
    };
    readonly version: 1;
    readonly answer: {
      /** The text as it was typed. */
      readonly text: string;
    };
  };

  /** List of plugins */
  readonly 'GET /api/admin/plugin_info': {
    readonly query: { readonly type?: string };
    readonly version: 7;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly plugin_info: readonly Plugin[];
      };
    };
  };

  /** Show a plugin */
  readonly 'GET /api/admin/plugin_info/{plugin_id}': {
    readonly path: { readonly plugin_id: string | number };
    readonly version: 7;
    readonly answer: Plugin;
  };

  /** Do many operations as one revision */
  readonly 'POST /api/admin/config/batch': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** What to do, in order. */
      readonly operations: readonly Operation[];
    };
    readonly version: 1;
    readonly answer: OutcomeOfABatch;
  };

  /** List what can be configured */
  readonly 'GET /api/forms': {
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** One for each resource. */
      readonly forms: readonly FormInShort[];
    };
  };

  /** Show the form of one resource */
  readonly 'GET /api/forms/{resource}': {
    readonly path: { readonly resource: string | number };
    readonly version: 1;
    readonly answer: Form;
  };

  /** List of the materials of all pipelines, each once */
  readonly 'GET /api/config/materials': {
    readonly query: { readonly at?: string };
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly materials: readonly ({
          readonly type: 'git';
          /** Stands for it in addresses; the same for equal materials. */
          readonly fingerprint: string;
          /** What one of type `git` has. */
          readonly attributes: {
            /** Address of the repository. */
            readonly url?: string;
            /** Directory for the checkout, inside that of the pipeline. */
            readonly destination?: string | null;
            /** Files whose changes alone do not trigger the pipeline. */
            readonly filter?: {
              /** Patterns of file names, such as `docs/** /*`. */
              readonly ignore?: readonly string[];
            };
            /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
            readonly invert_filter?: boolean;
            /** Name of the material. */
            readonly name?: string | null;
            /** Whether to poll for changes regularly. */
            readonly auto_update?: boolean;
            /** User name. */
            readonly username?: string | null;
            /** The secret, encrypted; can be sent back. */
            readonly encrypted_password?: string | null;
            /** Branch, or a refspec such as `refs/pull/7/head:pr-7`. */
            readonly branch?: string;
            /** Folder of a submodule. */
            readonly submodule_folder?: string | null;
            /** Whether to fetch only as much history as needed. */
            readonly shallow_clone?: boolean;
          };
        } | {
          readonly type: 'hg';
          /** Stands for it in addresses; the same for equal materials. */
          readonly fingerprint: string;
          /** What one of type `hg` has. */
          readonly attributes: {
            /** Address of the repository. */
            readonly url?: string;
            /** Directory for the checkout, inside that of the pipeline. */
            readonly destination?: string | null;
            /** Files whose changes alone do not trigger the pipeline. */
            readonly filter?: {
              /** Patterns of file names, such as `docs/** /*`. */
              readonly ignore?: readonly string[];
            };
            /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
            readonly invert_filter?: boolean;
            /** Name of the material. */
            readonly name?: string | null;
            /** Whether to poll for changes regularly. */
            readonly auto_update?: boolean;
            /** User name. */
            readonly username?: string | null;
            /** The secret, encrypted; can be sent back. */
            readonly encrypted_password?: string | null;
            /** Branch. */
            readonly branch?: string | null;
          };
        } | {
          readonly type: 'svn';
          /** Stands for it in addresses; the same for equal materials. */
          readonly fingerprint: string;
          /** What one of type `svn` has. */
          readonly attributes: {
            /** Address of the repository. */
            readonly url?: string;
            /** Directory for the checkout, inside that of the pipeline. */
            readonly destination?: string | null;
            /** Files whose changes alone do not trigger the pipeline. */
            readonly filter?: {
              /** Patterns of file names, such as `docs/** /*`. */
              readonly ignore?: readonly string[];
            };
            /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
            readonly invert_filter?: boolean;
            /** Name of the material. */
            readonly name?: string | null;
            /** Whether to poll for changes regularly. */
            readonly auto_update?: boolean;
            /** User name. */
            readonly username?: string | null;
            /** The secret, encrypted; can be sent back. */
            readonly encrypted_password?: string | null;
            /** Whether changes of externals count. */
            readonly check_externals?: boolean;
          };
        } | {
          readonly type: 'p4';
          /** Stands for it in addresses; the same for equal materials. */
          readonly fingerprint: string;
          /** What one of type `p4` has. */
          readonly attributes: {
            /** Directory for the checkout, inside that of the pipeline. */
            readonly destination?: string | null;
            /** Files whose changes alone do not trigger the pipeline. */
            readonly filter?: {
              /** Patterns of file names, such as `docs/** /*`. */
              readonly ignore?: readonly string[];
            };
            /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
            readonly invert_filter?: boolean;
            /** Name of the material. */
            readonly name?: string | null;
            /** Whether to poll for changes regularly. */
            readonly auto_update?: boolean;
            /** User name. */
            readonly username?: string | null;
            /** The secret, encrypted; can be sent back. */
            readonly encrypted_password?: string | null;
            /** [transport:]host:port */
            readonly port?: string | null;
            /** Whether to log in with a ticket. */
            readonly use_tickets?: boolean;
            /** The view. */
            readonly view?: string | null;
          };
        } | {
          readonly type: 'tfs';
          /** Stands for it in addresses; the same for equal materials. */
          readonly fingerprint: string;
          /** What one of type `tfs` has. */
          readonly attributes: {
            /** Address of the repository. */
            readonly url?: string;
            /** Directory for the checkout, inside that of the pipeline. */
            readonly destination?: string | null;
            /** Files whose changes alone do not trigger the pipeline. */
            readonly filter?: {
              /** Patterns of file names, such as `docs/** /*`. */
              readonly ignore?: readonly string[];
            };
            /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
            readonly invert_filter?: boolean;
            /** Name of the material. */
            readonly name?: string | null;
            /** Whether to poll for changes regularly. */
            readonly auto_update?: boolean;
            /** User name. */
            readonly username?: string | null;
            /** The secret, encrypted; can be sent back. */
            readonly encrypted_password?: string | null;
            /** Domain of the user. */
            readonly domain?: string;
            /** Path in the collection. */
            readonly project_path?: string | null;
          };
        } | {
          readonly type: 'dependency';
          /** Stands for it in addresses; the same for equal materials. */
          readonly fingerprint: string;
          /** What one of type `dependency` has. */
          readonly attributes: {
            /** The upstream pipeline. */
            readonly pipeline?: string | null;
            /** The stage that must have passed. */
            readonly stage?: string | null;
            /** Name of the material. */
            readonly name?: string | null;
            readonly auto_update?: true;
            /** Whether its runs alone do not trigger the pipeline. */
            readonly ignore_for_scheduling?: boolean;
          };
        } | {
          readonly type: 'package';
          /** Stands for it in addresses; the same for equal materials. */
          readonly fingerprint: string;
          /** What one of type `package` has. */
          readonly attributes: {
            /** The id of the package. */
            readonly ref?: string;
          };
        } | {
          readonly type: 'plugin';
          /** Stands for it in addresses; the same for equal materials. */
          readonly fingerprint: string;
          /** What one of type `plugin` has. */
          readonly attributes: {
            /** The id of the SCM. */
            readonly ref?: string;
            /** Files whose changes alone do not trigger the pipeline. */
            readonly filter?: {
              /** Patterns of file names, such as `docs/** /*`. */
              readonly ignore?: readonly string[];
            };
            /** Directory for the checkout, inside that of the pipeline. */
            readonly destination?: string | null;
            /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
            readonly invert_filter?: boolean;
          };
        })[];
      };
    };
  };

  /** What has changed in a material, the newest first */
  readonly 'GET /api/materials/{fingerprint}/modifications': {
    readonly path: { readonly fingerprint: string | number };
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The newest first. */
        readonly modifications: readonly Modification[];
        /** Which part of all this is. */
        readonly pagination: {
          /** How many there are on a page. */
          readonly page_size: number;
          /** How many newer ones there are. */
          readonly offset: number;
          /** How many there are in all. */
          readonly total: number;
        };
      };
    };
  };

  /** What has changed in a material before its newest changes */
  readonly 'GET /api/materials/{fingerprint}/modifications/{offset}': {
    readonly path: { readonly fingerprint: string | number; readonly offset: string | number };
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The newest first. */
        readonly modifications: readonly Modification[];
        /** Which part of all this is. */
        readonly pagination: {
          /** How many there are on a page. */
          readonly page_size: number;
          /** How many newer ones there are. */
          readonly offset: number;
          /** How many there are in all. */
          readonly total: number;
        };
      };
    };
  };

  /** Poll a material now */
  readonly 'POST /api/internal/materials/{fingerprint}/trigger_update': {
    readonly path: { readonly fingerprint: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** List of the materials of all pipelines with their newest modification and what is wrong with them */
  readonly 'GET /api/internal/materials': {
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The materials. */
      readonly materials: readonly MaterialAndWhatIsKnownOfIt[];
    };
  };

  /** Which pipelines use a material */
  readonly 'GET /api/internal/materials/{fingerprint}/usages': {
    readonly path: { readonly fingerprint: string | number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Names of pipelines. */
      readonly usages: readonly string[];
    };
  };

  /** What has changed in a material, the newest first, by cursors */
  readonly 'GET /api/internal/materials/{fingerprint}/modifications': {
    readonly path: { readonly fingerprint: string | number };
    readonly query: { readonly after?: number; readonly before?: number; readonly page_size?: number };
    readonly version: 1;
    readonly answer: {
      /** Where older ones are (`next`), and newer ones (`previous`), if there are any. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The modifications. */
      readonly modifications: readonly ModificationOfAMaterial[];
    };
  };

  /** Report that a Git repository has changed */
  readonly 'POST /api/admin/materials/git/notify': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** As in the configuration, with or without credentials, case-insensitive. */
      readonly repository_url: string;
    };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report that a Mercurial repository has changed */
  readonly 'POST /api/admin/materials/hg/notify': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** As in the configuration, with or without credentials, case-insensitive. */
      readonly repository_url: string;
    };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report that a Subversion repository has changed */
  readonly 'POST /api/admin/materials/svn/notify': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** As in the configuration, with or without credentials, case-insensitive. */
      readonly repository_url?: string;
      /** Instead of the URL: */
      readonly uuid?: string;
    };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report that a SCM material has changed */
  readonly 'POST /api/admin/materials/scm/notify': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The name of the SCM, case-insensitive. */
      readonly scm_name: string;
    };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report a push, as GitHub does */
  readonly 'POST /api/webhooks/github/notify': {
    readonly query: { readonly SCM_NAME?: readonly string[]; readonly dry_run?: boolean };
    readonly body: {
      /** What was pushed, such as `refs/heads/main`. */
      readonly ref: string;
      /** The repository. */
      readonly repository: {
        /** Its address. */
        readonly html_url: string;
        /** Its name, with that of its owner. */
        readonly full_name: string;
      } & { readonly [name: string]: Json | undefined };
    } & { readonly [name: string]: Json | undefined };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report a push or a pull request in a config repo, as GitHub does */
  readonly 'POST /api/webhooks/github/config_repos/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** What was pushed, such as `refs/heads/main`. */
      readonly ref: string;
      /** The repository. */
      readonly repository: {
        /** Its address. */
        readonly html_url: string;
        /** Its name, with that of its owner. */
        readonly full_name: string;
      } & { readonly [name: string]: Json | undefined };
    } & { readonly [name: string]: Json | undefined };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report a push, as GitLab does */
  readonly 'POST /api/webhooks/gitlab/notify': {
    readonly query: { readonly SCM_NAME?: readonly string[]; readonly dry_run?: boolean };
    readonly body: {
      /** What was pushed, such as `refs/heads/main`. */
      readonly ref: string;
      /** The repository. */
      readonly project: {
        /** Its address. */
        readonly http_url: string;
        /** Its name, with that of its owner. */
        readonly path_with_namespace: string;
      } & { readonly [name: string]: Json | undefined };
    } & { readonly [name: string]: Json | undefined };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report a push or a pull request in a config repo, as GitLab does */
  readonly 'POST /api/webhooks/gitlab/config_repos/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** What was pushed, such as `refs/heads/main`. */
      readonly ref: string;
      /** The repository. */
      readonly project: {
        /** Its address. */
        readonly http_url: string;
        /** Its name, with that of its owner. */
        readonly path_with_namespace: string;
      } & { readonly [name: string]: Json | undefined };
    } & { readonly [name: string]: Json | undefined };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report a push, as Bitbucket Cloud does */
  readonly 'POST /api/webhooks/bitbucket/notify': {
    readonly query: { readonly SCM_NAME?: readonly string[]; readonly dry_run?: boolean };
    readonly body: {
      /** The push. */
      readonly push: {
        /** What was pushed. */
        readonly changes: readonly ({
          /** As it is now; null: */
          readonly new: {
            /** The name of the branch or tag. */
            readonly name: string;
            /** Whether it is a branch or a tag. */
            readonly type: string;
          } & { readonly [name: string]: Json | undefined };
        } & { readonly [name: string]: Json | undefined })[];
      } & { readonly [name: string]: Json | undefined };
      /** The repository. */
      readonly repository: {
        /** `git`, or `hg`. */
        readonly scm: string;
        /** Its name, with that of its owner. */
        readonly full_name: string;
        /** Where it is. */
        readonly links: {
          /** Its page. */
          readonly html: {
            /** Its address. */
            readonly href: string;
          } & { readonly [name: string]: Json | undefined };
        } & { readonly [name: string]: Json | undefined };
      } & { readonly [name: string]: Json | undefined };
    } & { readonly [name: string]: Json | undefined };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report a push or a pull request in a config repo, as Bitbucket Cloud does */
  readonly 'POST /api/webhooks/bitbucket/config_repos/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The push. */
      readonly push: {
        /** What was pushed. */
        readonly changes: readonly ({
          /** As it is now; null: */
          readonly new: {
            /** The name of the branch or tag. */
            readonly name: string;
            /** Whether it is a branch or a tag. */
            readonly type: string;
          } & { readonly [name: string]: Json | undefined };
        } & { readonly [name: string]: Json | undefined })[];
      } & { readonly [name: string]: Json | undefined };
      /** The repository. */
      readonly repository: {
        /** `git`, or `hg`. */
        readonly scm: string;
        /** Its name, with that of its owner. */
        readonly full_name: string;
        /** Where it is. */
        readonly links: {
          /** Its page. */
          readonly html: {
            /** Its address. */
            readonly href: string;
          } & { readonly [name: string]: Json | undefined };
        } & { readonly [name: string]: Json | undefined };
      } & { readonly [name: string]: Json | undefined };
    } & { readonly [name: string]: Json | undefined };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report a push, as Bitbucket Server does */
  readonly 'POST /api/webhooks/hosted_bitbucket/notify': {
    readonly query: { readonly SCM_NAME?: readonly string[]; readonly dry_run?: boolean };
    readonly body: {
      /** What was pushed. */
      readonly changes: readonly ({
        /** The branch or tag. */
        readonly ref: {
          /** The name of the branch or tag. */
          readonly displayId: string;
          /** Whether it is a branch or a tag. */
          readonly type: string;
        } & { readonly [name: string]: Json | undefined };
      } & { readonly [name: string]: Json | undefined })[];
      /** The repository. */
      readonly repository: {
        /** `git`, or `hg`. */
        readonly scmId: string;
        /** Where it is. */
        readonly links: {
          /** The addresses to clone it from. */
          readonly clone: readonly ({
            /** The protocol. */
            readonly name: string | null;
            /** Its address. */
            readonly href: string;
          } & { readonly [name: string]: Json | undefined })[];
        } & { readonly [name: string]: Json | undefined };
      } & { readonly [name: string]: Json | undefined };
    } & { readonly [name: string]: Json | undefined };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Report a push or a pull request in a config repo, as Bitbucket Server does */
  readonly 'POST /api/webhooks/hosted_bitbucket/config_repos/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** What was pushed. */
      readonly changes: readonly ({
        /** The branch or tag. */
        readonly ref: {
          /** The name of the branch or tag. */
          readonly displayId: string;
          /** Whether it is a branch or a tag. */
          readonly type: string;
        } & { readonly [name: string]: Json | undefined };
      } & { readonly [name: string]: Json | undefined })[];
      /** The repository. */
      readonly repository: {
        /** `git`, or `hg`. */
        readonly scmId: string;
        /** Where it is. */
        readonly links: {
          /** The addresses to clone it from. */
          readonly clone: readonly ({
            /** The protocol. */
            readonly name: string | null;
            /** Its address. */
            readonly href: string;
          } & { readonly [name: string]: Json | undefined })[];
        } & { readonly [name: string]: Json | undefined };
      } & { readonly [name: string]: Json | undefined };
    } & { readonly [name: string]: Json | undefined };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Bring a config repo up to date */
  readonly 'POST /api/admin/config_repos/{id}/trigger_update': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 4;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Whether a config repo is being brought up to date */
  readonly 'GET /api/admin/config_repos/{id}/status': {
    readonly path: { readonly id: string | number };
    readonly version: 4;
    readonly answer: {
      /** Whether it is under way, or waits for its turn. */
      readonly in_progress: boolean;
    };
  };

  /** What a config repo defines */
  readonly 'GET /api/admin/config_repos/{id}/definitions': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 4;
    readonly answer: Definitions;
  };

  /** Where the definitions of a config repo stand */
  readonly 'GET /api/admin/config_repos/{id}/sources': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly pipeline?: string };
    readonly version: 1;
    readonly answer: Sources;
  };

  /** The last attempts to bring a config repo into force */
  readonly 'GET /api/admin/config_repos/{id}/parses': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly page_size?: number; readonly cursor?: number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly parses: readonly ParseOfAConfigRepo[];
      };
    };
  };

  /** List of all config repos with the state of their parsing */
  readonly 'GET /api/internal/config_repos': {
    readonly version: 4;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly config_repos: readonly ConfigRepoWithTheStateOfItsParsing[];
      };
      /** Names that rules can refer to, as far as the caller may see what they stand for. */
      readonly auto_completion: readonly NamesOfOneKind[];
    };
  };

  /** Check files before they are committed to a config repo */
  readonly 'POST /api/admin/config_repo_ops/preflight': {
    readonly query: { readonly pluginId?: string; readonly repoId?: string; readonly ref?: string; readonly plan?: boolean };
    readonly version: 1;
    readonly answer: PreflightResult;
  };

  /** List of pipeline groups with their pipelines, materials and stages */
  readonly 'GET /api/config/pipeline_groups': {
    readonly answer: readonly {
      /** The name of the group. */
      readonly name: string;
      /** The pipelines of the group. */
      readonly pipelines: readonly {
        /** The name of the pipeline. */
        readonly name: string;
        /** How runs are labelled. */
        readonly label: string;
        /** What its runs are made from. */
        readonly materials: readonly {
          /** The material in words. */
          readonly description: string;
          /** Its fingerprint. */
          readonly fingerprint: string;
          /** Its type, such as Git. */
          readonly type: string;
        }[];
        /** Its stages, in order. */
        readonly stages: readonly {
          /** The name of the stage. */
          readonly name: string;
        }[];
      }[];
    }[];
  };

  /** The webhook secret of the server, encrypted */
  readonly 'GET /api/admin/config/server/webhook_secret': {
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The secret, encrypted; null: */
      readonly encrypted_webhook_secret: string | null;
    };
  };

  /** Set the webhook secret of the server */
  readonly 'PUT /api/admin/config/server/webhook_secret': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: WebhookSecretRequest;
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The secret, encrypted; null: */
      readonly encrypted_webhook_secret: string | null;
    };
  };

  /** Change the webhook secret of the server */
  readonly 'PATCH /api/admin/config/server/webhook_secret': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: WebhookSecretRequestAsAMergePatch;
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The secret, encrypted; null: */
      readonly encrypted_webhook_secret: string | null;
    };
  };

  /** Show the user who asks */
  readonly 'GET /api/current_user': {
    readonly version: 1;
    readonly answer: CurrentUser;
  };

  /** Change what the user may change themselves */
  readonly 'PATCH /api/current_user': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** Mail address; empty: */
      readonly email?: string;
      /** Whether to send the mails that the filters of the user ask for. */
      readonly email_me?: boolean;
      /** Names under which the user commits, to recognise their changes. */
      readonly checkin_aliases?: readonly string[];
    };
    readonly version: 1;
    readonly answer: CurrentUser;
  };

  /** List of users */
  readonly 'GET /api/users': {
    readonly version: 3;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly users: readonly User[];
      };
    };
  };

  /** Add a user */
  readonly 'POST /api/users': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The login name: */
      readonly login_name: string;
      /** Whether the user may log in. */
      readonly enabled?: boolean;
      /** Mail address; empty: */
      readonly email?: string;
      /** Whether to send the mails that the filters of the user ask for. */
      readonly email_me?: boolean;
      /** Names under which the user commits, to recognise their changes. */
      readonly checkin_aliases?: readonly string[];
    };
    readonly version: 3;
    readonly answer: User;
  };

  /** Delete disabled users */
  readonly 'DELETE /api/users': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** Login names. */
      readonly users: readonly string[];
    };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Show a user */
  readonly 'GET /api/users/{login_name}': {
    readonly path: { readonly login_name: string | number };
    readonly version: 3;
    readonly answer: User;
  };

  /** Change a user */
  readonly 'PATCH /api/users/{login_name}': {
    readonly path: { readonly login_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** Whether the user may log in. */
      readonly enabled?: boolean;
      /** Mail address; empty: */
      readonly email?: string;
      /** Whether to send the mails that the filters of the user ask for. */
      readonly email_me?: boolean;
      /** Names under which the user commits, to recognise their changes. */
      readonly checkin_aliases?: readonly string[];
    };
    readonly version: 3;
    readonly answer: User;
  };

  /** Delete a disabled user */
  readonly 'DELETE /api/users/{login_name}': {
    readonly path: { readonly login_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Enable or disable users */
  readonly 'PATCH /api/users/operations/state': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** Login names. */
      readonly users: readonly string[];
      /** What to change. */
      readonly operations: {
        /** Whether they may log in. */
        readonly enable: boolean;
      };
    };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** The names of all users and roles */
  readonly 'GET /api/admin/internal/member_names': {
    readonly version: 1;
    readonly answer: {
      /** The login names of all users. */
      readonly users: readonly string[];
      /** The names of all roles. */
      readonly roles: readonly string[];
    };
  };

  /** What the user who asks may see and administer */
  readonly 'GET /api/auth/permissions': {
    readonly query: { readonly type?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** By kind of things. */
      readonly permissions: {
        /** What the user may do with each cluster profile. */
        readonly cluster_profile?: Rights;
        /** What the user may do with each config repo. */
        readonly config_repo?: Rights;
        /** What the user may do with each elastic agent profile. */
        readonly elastic_agent_profile?: Rights;
        /** What the user may do with each environment. */
        readonly environment?: Rights;
      };
    };
  };

  /** List of your notification filters */
  readonly 'GET /api/notification_filters': {
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly filters: readonly NotificationFilter[];
      };
    };
  };

  /** Create a notification filter */
  readonly 'POST /api/notification_filters': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** Name of a pipeline, or [Any Pipeline]. */
      readonly pipeline: string;
      /** Name of a stage, or [Any Stage]. */
      readonly stage: string;
      /** What happened to the stage. */
      readonly event: 'Fails' | 'Passes' | 'Breaks' | 'Fixed' | 'Cancelled' | 'All';
      /** Whether only runs with a commit of yours count. */
      readonly match_commits?: boolean;
    };
    readonly version: 2;
    readonly answer: NotificationFilter;
  };

  /** Show a notification filter */
  readonly 'GET /api/notification_filters/{id}': {
    readonly path: { readonly id: string | number };
    readonly version: 2;
    readonly answer: NotificationFilter;
  };

  /** Replace a notification filter */
  readonly 'PATCH /api/notification_filters/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** Name of a pipeline, or [Any Pipeline]. */
      readonly pipeline: string;
      /** Name of a stage, or [Any Stage]. */
      readonly stage: string;
      /** What happened to the stage. */
      readonly event: 'Fails' | 'Passes' | 'Breaks' | 'Fixed' | 'Cancelled' | 'All';
      /** Whether only runs with a commit of yours count. */
      readonly match_commits?: boolean;
    };
    readonly version: 2;
    readonly answer: NotificationFilter;
  };

  /** Delete a notification filter */
  readonly 'DELETE /api/notification_filters/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** List of access tokens */
  readonly 'GET /api/current_user/access_tokens': {
    readonly query: { readonly filter?: 'active' | 'all' | 'revoked' };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly access_tokens: readonly AccessToken[];
      };
    };
  };

  /** Create an access token; its secret is shown only in this answer */
  readonly 'POST /api/current_user/access_tokens': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** What it is for. */
      readonly description: string;
      /** When it ends: */
      readonly expires_at?: string;
      /** What it is limited to, each as `resource:action:pattern`. */
      readonly scopes?: readonly string[];
      /** The addresses and networks from which it can be used. */
      readonly allowed_addresses?: readonly string[];
    };
    readonly version: 1;
    readonly answer: NewAccessToken;
  };

  /** Show an access token */
  readonly 'GET /api/current_user/access_tokens/{id}': {
    readonly path: { readonly id: string | number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Identifies it in addresses. */
      readonly id: number;
      /** What it is for. */
      readonly description: string;
      /** The user it belongs to. */
      readonly username: string;
      /** Whether it is revoked, so that the server no longer accepts it. */
      readonly revoked: boolean;
      /** Why it was revoked. */
      readonly revoke_cause: string | null;
      /** Who revoked it. */
      readonly revoked_by: string | null;
      /** When it was revoked. */
      readonly revoked_at: string | null;
      /** When it was created. */
      readonly created_at: string;
      /** When it was last used; null: */
      readonly last_used_at: string | null;
      /** When it ends. */
      readonly expires_at?: string;
      /** What it is limited to. */
      readonly scopes?: readonly string[];
      /** The addresses and networks from which it can be used. */
      readonly allowed_addresses?: readonly string[];
      /** The scopes that would have been enough for what it was used for, up to a minute late. */
      readonly used_scopes?: readonly string[];
      /** The smallest set of scopes that covers what it was used for. */
      readonly proposed_scopes?: readonly string[];
    };
  };

  /** Revoke an access token for good */
  readonly 'POST /api/current_user/access_tokens/{id}/revoke': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** Why it is revoked. */
      readonly revoke_cause?: string;
    };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Identifies it in addresses. */
      readonly id: number;
      /** What it is for. */
      readonly description: string;
      /** The user it belongs to. */
      readonly username: string;
      /** Whether it is revoked, so that the server no longer accepts it. */
      readonly revoked: boolean;
      /** Why it was revoked. */
      readonly revoke_cause: string | null;
      /** Who revoked it. */
      readonly revoked_by: string | null;
      /** When it was revoked. */
      readonly revoked_at: string | null;
      /** When it was created. */
      readonly created_at: string;
      /** When it was last used; null: */
      readonly last_used_at: string | null;
      /** When it ends. */
      readonly expires_at?: string;
      /** What it is limited to. */
      readonly scopes?: readonly string[];
      /** The addresses and networks from which it can be used. */
      readonly allowed_addresses?: readonly string[];
      /** The scopes that would have been enough for what it was used for, up to a minute late. */
      readonly used_scopes?: readonly string[];
      /** The smallest set of scopes that covers what it was used for. */
      readonly proposed_scopes?: readonly string[];
    };
  };

  /** List of access tokens */
  readonly 'GET /api/admin/access_tokens': {
    readonly query: { readonly filter?: 'active' | 'all' | 'revoked' };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly access_tokens: readonly UserAccessToken[];
      };
    };
  };

  /** Show an access token */
  readonly 'GET /api/admin/access_tokens/{id}': {
    readonly path: { readonly id: string | number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Identifies it in addresses. */
      readonly id: number;
      /** What it is for. */
      readonly description: string;
      /** The user it belongs to. */
      readonly username: string;
      /** Whether it is revoked, so that the server no longer accepts it. */
      readonly revoked: boolean;
      /** Why it was revoked. */
      readonly revoke_cause: string | null;
      /** Who revoked it. */
      readonly revoked_by: string | null;
      /** When it was revoked. */
      readonly revoked_at: string | null;
      /** When it was created. */
      readonly created_at: string;
      /** When it was last used; null: */
      readonly last_used_at: string | null;
      /** Whether it was revoked because its user was deleted. */
      readonly revoked_because_user_deleted: boolean;
      /** When it ends. */
      readonly expires_at?: string;
      /** What it is limited to. */
      readonly scopes?: readonly string[];
      /** The addresses and networks from which it can be used. */
      readonly allowed_addresses?: readonly string[];
      /** The scopes that would have been enough for what it was used for, up to a minute late. */
      readonly used_scopes?: readonly string[];
      /** The smallest set of scopes that covers what it was used for. */
      readonly proposed_scopes?: readonly string[];
    };
  };

  /** Revoke an access token for good */
  readonly 'POST /api/admin/access_tokens/{id}/revoke': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** Why it is revoked. */
      readonly revoke_cause?: string;
    };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Identifies it in addresses. */
      readonly id: number;
      /** What it is for. */
      readonly description: string;
      /** The user it belongs to. */
      readonly username: string;
      /** Whether it is revoked, so that the server no longer accepts it. */
      readonly revoked: boolean;
      /** Why it was revoked. */
      readonly revoke_cause: string | null;
      /** Who revoked it. */
      readonly revoked_by: string | null;
      /** When it was revoked. */
      readonly revoked_at: string | null;
      /** When it was created. */
      readonly created_at: string;
      /** When it was last used; null: */
      readonly last_used_at: string | null;
      /** Whether it was revoked because its user was deleted. */
      readonly revoked_because_user_deleted: boolean;
      /** When it ends. */
      readonly expires_at?: string;
      /** What it is limited to. */
      readonly scopes?: readonly string[];
      /** The addresses and networks from which it can be used. */
      readonly allowed_addresses?: readonly string[];
      /** The scopes that would have been enough for what it was used for, up to a minute late. */
      readonly used_scopes?: readonly string[];
      /** The smallest set of scopes that covers what it was used for. */
      readonly proposed_scopes?: readonly string[];
    };
  };

  /** List of access tokens */
  readonly 'GET /api/admin/service_accounts/{name}/access_tokens': {
    readonly path: { readonly name: string | number };
    readonly query: { readonly filter?: 'active' | 'all' | 'revoked' };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly access_tokens: readonly AccessTokenOfAServiceAccount[];
      };
    };
  };

  /** Create an access token of a service account; its secret is shown only in this answer */
  readonly 'POST /api/admin/service_accounts/{name}/access_tokens': {
    readonly path: { readonly name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** What it is for. */
      readonly description: string;
      /** When it ends: */
      readonly expires_at?: string;
      /** What it is limited to, each as `resource:action:pattern`. */
      readonly scopes?: readonly string[];
      /** The addresses and networks from which it can be used. */
      readonly allowed_addresses?: readonly string[];
    };
    readonly version: 1;
    readonly answer: NewAccessTokenOfAServiceAccount;
  };

  /** Show an access token */
  readonly 'GET /api/admin/service_accounts/{name}/access_tokens/{id}': {
    readonly path: { readonly name: string | number; readonly id: string | number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Identifies it in addresses. */
      readonly id: number;
      /** What it is for. */
      readonly description: string;
      /** The user it belongs to. */
      readonly username: string;
      /** Whether it is revoked, so that the server no longer accepts it. */
      readonly revoked: boolean;
      /** Why it was revoked. */
      readonly revoke_cause: string | null;
      /** Who revoked it. */
      readonly revoked_by: string | null;
      /** When it was revoked. */
      readonly revoked_at: string | null;
      /** When it was created. */
      readonly created_at: string;
      /** When it was last used; null: */
      readonly last_used_at: string | null;
      /** When it ends. */
      readonly expires_at?: string;
      /** What it is limited to. */
      readonly scopes?: readonly string[];
      /** The addresses and networks from which it can be used. */
      readonly allowed_addresses?: readonly string[];
      /** The scopes that would have been enough for what it was used for, up to a minute late. */
      readonly used_scopes?: readonly string[];
      /** The smallest set of scopes that covers what it was used for. */
      readonly proposed_scopes?: readonly string[];
    };
  };

  /** Revoke an access token for good */
  readonly 'POST /api/admin/service_accounts/{name}/access_tokens/{id}/revoke': {
    readonly path: { readonly name: string | number; readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** Why it is revoked. */
      readonly revoke_cause?: string;
    };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Identifies it in addresses. */
      readonly id: number;
      /** What it is for. */
      readonly description: string;
      /** The user it belongs to. */
      readonly username: string;
      /** Whether it is revoked, so that the server no longer accepts it. */
      readonly revoked: boolean;
      /** Why it was revoked. */
      readonly revoke_cause: string | null;
      /** Who revoked it. */
      readonly revoked_by: string | null;
      /** When it was revoked. */
      readonly revoked_at: string | null;
      /** When it was created. */
      readonly created_at: string;
      /** When it was last used; null: */
      readonly last_used_at: string | null;
      /** When it ends. */
      readonly expires_at?: string;
      /** What it is limited to. */
      readonly scopes?: readonly string[];
      /** The addresses and networks from which it can be used. */
      readonly allowed_addresses?: readonly string[];
      /** The scopes that would have been enough for what it was used for, up to a minute late. */
      readonly used_scopes?: readonly string[];
      /** The smallest set of scopes that covers what it was used for. */
      readonly proposed_scopes?: readonly string[];
    };
  };

  /** Replace an access token by a new one; the secret is shown only in this answer */
  readonly 'POST /api/current_user/access_tokens/{id}/rotate': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** For how long both can be used. */
      readonly overlap_minutes?: number;
    };
    readonly version: 1;
    readonly answer: NewAccessToken;
  };

  /** Replace an access token by a new one; the secret is shown only in this answer */
  readonly 'POST /api/admin/service_accounts/{name}/access_tokens/{id}/rotate': {
    readonly path: { readonly name: string | number; readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** For how long both can be used. */
      readonly overlap_minutes?: number;
    };
    readonly version: 1;
    readonly answer: NewAccessTokenOfAServiceAccount;
  };

  /** What scopes of access tokens can be about */
  readonly 'GET /api/token_scopes': {
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** What scopes let the user of a token do. */
      readonly actions: readonly {
        /** The word for it in scopes. */
        readonly name: string;
        /** What it allows. */
        readonly about: string;
      }[];
      /** What they let the user do it with. */
      readonly resources: readonly {
        /** The word for it in scopes. */
        readonly name: string;
        /** What it is. */
        readonly about: string;
      }[];
    };
  };

  /** List of service accounts */
  readonly 'GET /api/admin/service_accounts': {
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly service_accounts: readonly ServiceAccount[];
      };
    };
  };

  /** Add a service account */
  readonly 'POST /api/admin/service_accounts': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** A valid login name, unlike the name of any other user. */
      readonly name: string;
      /** What it is for. */
      readonly description?: string;
      /** The login name of the user who is responsible for it. */
      readonly owner?: string;
      /** Whether the server accepts its access tokens. */
      readonly enabled?: boolean;
    };
    readonly version: 1;
    readonly answer: ServiceAccount;
  };

  /** Show a service account */
  readonly 'GET /api/admin/service_accounts/{name}': {
    readonly path: { readonly name: string | number };
    readonly version: 1;
    readonly answer: ServiceAccount;
  };

  /** Change a service account */
  readonly 'PUT /api/admin/service_accounts/{name}': {
    readonly path: { readonly name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** What it is for. */
      readonly description?: string;
      /** The login name of the user who is responsible for it. */
      readonly owner?: string;
      /** Whether the server accepts its access tokens. */
      readonly enabled?: boolean;
    };
    readonly version: 1;
    readonly answer: ServiceAccount;
  };

  /** Delete a service account, and revoke its access tokens */
  readonly 'DELETE /api/admin/service_accounts/{name}': {
    readonly path: { readonly name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Log in, and get the cookie of a session */
  readonly 'POST /api/session': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The login name. */
      readonly login_name: string;
      /** The password. */
      readonly password: string;
      /** Instead of `login_name`: */
      readonly login?: string;
    };
    readonly version: 1;
    readonly answer: Session;
  };

  /** Show who is logged in, and what pages need to know about them */
  readonly 'GET /api/session': {
    readonly version: 1;
    readonly answer: Session;
  };

  /** Log out: */
  readonly 'DELETE /api/session': {
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
      /** Where the browser has to go to log out at the provider, too; null: */
      readonly logout_url: string | null;
    };
  };

  /** List the sessions of the current user, newest first */
  readonly 'GET /api/current_user/sessions': {
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly sessions: readonly {
          /** Where it is, where it is documented, how others are found. */
          readonly _links: { readonly [name: string]: {
              /** The address. */
              readonly href: string;
            } };
          /** Identifies it in addresses. */
          readonly id: string;
          /** Whether this request uses it. */
          readonly current: boolean;
          /** The address of the browser when it logged in. */
          readonly address: string;
          /** The `User-Agent` of the browser. */
          readonly browser: string;
          /** The authorization configuration of the login. */
          readonly auth_config_id: string;
          /** When it began. */
          readonly created_at: string;
          /** When it was last used; up to a minute late. */
          readonly last_used_at: string;
          /** When it ends without a further request. */
          readonly expires_at: string;
        }[];
      };
    };
  };

  /** End all sessions of the current user */
  readonly 'DELETE /api/current_user/sessions': {
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** End a session of the current user */
  readonly 'DELETE /api/current_user/sessions/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** List the sessions of all users, newest first */
  readonly 'GET /api/admin/sessions': {
    readonly query: { readonly login_name?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly sessions: readonly {
          /** The login name of the user. */
          readonly login_name: string;
          /** Where it is, where it is documented, how others are found. */
          readonly _links: { readonly [name: string]: {
              /** The address. */
              readonly href: string;
            } };
          /** Identifies it in addresses. */
          readonly id: string;
          /** Whether this request uses it. */
          readonly current: boolean;
          /** The address of the browser when it logged in. */
          readonly address: string;
          /** The `User-Agent` of the browser. */
          readonly browser: string;
          /** The authorization configuration of the login. */
          readonly auth_config_id: string;
          /** When it began. */
          readonly created_at: string;
          /** When it was last used; up to a minute late. */
          readonly last_used_at: string;
          /** When it ends without a further request. */
          readonly expires_at: string;
        }[];
      };
    };
  };

  /** End all sessions of a user */
  readonly 'DELETE /api/admin/sessions': {
    readonly query: { readonly login_name?: string; readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** End a session of any user */
  readonly 'DELETE /api/admin/sessions/{id}': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** List the ways to log in */
  readonly 'GET /api/login_sources': {
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Whether any source of users takes passwords. */
      readonly takes_passwords: boolean;
      /** The content of the answer. */
      readonly _embedded: {
        /** The providers, in the order of their authorization configurations. */
        readonly login_sources: readonly {
          /** Where it is, where it is documented, how others are found. */
          readonly _links: { readonly [name: string]: {
              /** The address. */
              readonly href: string;
            } };
          /** The id of the authorization configuration. */
          readonly id: string;
          /** The name of the provider, for people. */
          readonly label: string;
        }[];
      };
    };
  };

  /** Start a login at a provider */
  readonly 'GET /auth/login/{auth_config_id}': {
    readonly path: { readonly auth_config_id: string | number };
    readonly query: { readonly return_to?: string; readonly moved?: boolean };
    readonly answer: undefined;
  };

  /** Complete a login at a provider */
  readonly 'GET /auth/callback/{auth_config_id}': {
    readonly path: { readonly auth_config_id: string | number };
    readonly query: { readonly code?: string; readonly state?: string; readonly iss?: string; readonly error?: string; readonly error_description?: string };
    readonly answer: undefined;
  };

  /** Receive a logout from a provider */
  readonly 'POST /auth/backchannel_logout/{auth_config_id}': {
    readonly path: { readonly auth_config_id: string | number };
    readonly answer: undefined;
  };

  /** Make a backup */
  readonly 'POST /api/backups': {
    readonly query: { readonly dry_run?: boolean };
    readonly answer: undefined;
  };

  /** List the backups */
  readonly 'GET /api/backups': {
    readonly query: { readonly page_size?: number; readonly cursor?: number };
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly backups: readonly Backup[];
      };
    };
  };

  /** Show a backup */
  readonly 'GET /api/backups/{id}': {
    readonly path: { readonly id: string | number };
    readonly version: 2;
    readonly answer: Backup;
  };

  /** Download the manifest of a backup */
  readonly 'GET /api/backups/{id}/manifest': {
    readonly path: { readonly id: string | number };
    readonly version: 2;
    readonly answer: { readonly [name: string]: Json };
  };

  /** Show whether a backup is being made */
  readonly 'GET /is_backup_finished.json': {
    readonly answer: {
      /** Whether one is being made now. */
      readonly is_backing_up: boolean;
    };
  };

  /** List events, or follow them as a stream */
  readonly 'GET /api/admin/events': {
    readonly query: { readonly after?: number; readonly cursor?: number; readonly page_size?: number; readonly type?: readonly string[]; readonly actor?: readonly string[]; readonly resource?: readonly string[]; readonly id?: readonly string[] };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly events: readonly Event[];
      };
    };
  };

  /** Check the events for tampering */
  readonly 'GET /api/admin/events/verification': {
    readonly version: 1;
    readonly answer: ResultOfACheckOfTheEvents;
  };

  /** List the deliveries of a webhook */
  readonly 'GET /api/admin/webhooks/{id}/deliveries': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly page_size?: number; readonly cursor?: number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** What is still to be delivered. */
      readonly queue: QueueOfAWebhook;
      /** The content of the answer. */
      readonly _embedded: {
        /** The deliveries, newest first. */
        readonly deliveries: readonly DeliveryOfAnEvent[];
      };
    };
  };

  /** Deliver events again, from a number on */
  readonly 'POST /api/admin/webhooks/{id}/replay': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The number of the first event to deliver. */
      readonly from: number;
    };
    readonly version: 1;
    readonly answer: {
      /** What is still to be delivered. */
      readonly queue: QueueOfAWebhook;
    };
  };

  /** Test a webhook */
  readonly 'POST /api/admin/webhooks/{id}/test': {
    readonly path: { readonly id: string | number };
    readonly version: 1;
    readonly answer: OutcomeOfATestDelivery;
  };

  /** Switch maintenance mode on */
  readonly 'POST /api/admin/maintenance_mode/enable': {
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** The reason, which is shown to users. */
      readonly reason?: string;
      /** After how many minutes it ends by itself. */
      readonly minutes?: number;
      /** When it ends by itself. */
      readonly until?: string;
      /** Whether it stays on after a restart of the server. */
      readonly survive_restart?: boolean;
    };
    readonly answer: undefined;
  };

  /** Switch maintenance mode off */
  readonly 'POST /api/admin/maintenance_mode/disable': {
    readonly query: { readonly dry_run?: boolean };
    readonly answer: undefined;
  };

  /** Show whether maintenance mode is on, and what is still running */
  readonly 'GET /api/admin/maintenance_mode/info': {
    readonly version: 1;
    readonly answer: MaintenanceMode;
  };

  /** Wait until nothing is running any more */
  readonly 'GET /api/admin/maintenance_mode/wait': {
    readonly query: { readonly timeout?: number };
    readonly version: 1;
    readonly answer: DrainedServer;
  };

  /** The servers on this database */
  readonly 'GET /api/admin/replicas': {
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly replicas: readonly {
          /** Made up at each start; `embedded` for a server that has its database for itself. */
          readonly id: string;
          /** Where the others reach it. */
          readonly url: string;
          /** The name of its machine. */
          readonly host: string;
          /** Its version. */
          readonly version: string;
          /** When it was started. */
          readonly started_at: string;
          /** Milliseconds since it was heard of. */
          readonly silent_ms: number;
          /** How many writes are not known there yet. */
          readonly lag: number;
          /** Whether it does the background work. */
          readonly keeper: boolean;
          /** Whether it is the one that answers. */
          readonly this: boolean;
        }[];
      };
    };
  };

  /** Whether the server is ready for requests */
  readonly 'GET /api/v1/ready': {
    readonly answer: {
      readonly ready: true;
    };
  };

  /** List the revisions of the configuration */
  readonly 'GET /api/admin/config/revisions': {
    readonly query: { readonly actor?: string; readonly token?: number; readonly resource?: string; readonly id?: string; readonly text?: string; readonly since?: string; readonly until?: string; readonly page_size?: number; readonly cursor?: number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly revisions: readonly Revision[];
      };
    };
  };

  /** Show what a revision changed */
  readonly 'GET /api/admin/config/revisions/{revision}': {
    readonly path: { readonly revision: string | number };
    readonly query: { readonly page_size?: number; readonly cursor?: number };
    readonly version: 1;
    readonly answer: RevisionAndItsDifferences;
  };

  /** Name a revision, or remove its name */
  readonly 'PATCH /api/admin/config/revisions/{revision}': {
    readonly path: { readonly revision: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The name; null removes it. */
      readonly name: string | null;
    };
    readonly version: 1;
    readonly answer: NamedRevision;
  };

  /** Show the history of an entity */
  readonly 'GET /api/admin/config/entities/{resource}/{id}/history': {
    readonly path: { readonly resource: string | number; readonly id: string | number };
    readonly query: { readonly page_size?: number; readonly cursor?: number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly revisions: readonly RevisionInTheHistoryOfAnEntity[];
      };
    };
  };

  /** Show who set each field of an entity */
  readonly 'GET /api/admin/config/entities/{resource}/{id}/blame': {
    readonly path: { readonly resource: string | number; readonly id: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly fields: readonly FieldAndWhoSetIt[];
      };
    };
  };

  /** Show the history of a single resource */
  readonly 'GET /api/admin/config/entities/{resource}/history': {
    readonly path: { readonly resource: string | number };
    readonly query: { readonly page_size?: number; readonly cursor?: number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly revisions: readonly RevisionInTheHistoryOfAnEntity[];
      };
    };
  };

  /** Show who set each field of a single resource */
  readonly 'GET /api/admin/config/entities/{resource}/blame': {
    readonly path: { readonly resource: string | number };
    readonly query: { readonly at?: string };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly fields: readonly FieldAndWhoSetIt[];
      };
    };
  };

  /** Plan how to reach a desired state */
  readonly 'POST /api/admin/config/plan': {
    readonly query: { readonly prune?: boolean; readonly dry_run?: boolean };
    readonly body: {
      /** Whether everything that is not in the lists is deleted. */
      readonly prune?: boolean;
    } & { readonly [name: string]: readonly { readonly [name: string]: Json }[] | { readonly [name: string]: Json } | undefined };
    readonly version: 1;
    readonly answer: Plan;
  };

  /** Apply a plan */
  readonly 'POST /api/admin/config/plan/{id}/apply': {
    readonly path: { readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: { readonly [name: string]: Json };
    readonly version: 1;
    readonly answer: AppliedPlan;
  };

  /** Take back a revision */
  readonly 'POST /api/admin/config/revisions/{revision}/revert': {
    readonly path: { readonly revision: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: { readonly [name: string]: Json };
    readonly version: 1;
    readonly answer: Reversal;
  };

  /** Bring an entity back to what it was at a revision */
  readonly 'POST /api/admin/config/entities/{resource}/{id}/revert': {
    readonly path: { readonly resource: string | number; readonly id: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** It becomes what it was after this revision. */
      readonly revision: number;
    };
    readonly version: 1;
    readonly answer: Reversal;
  };

  /** Bring what there is only one of back to what it was at a revision */
  readonly 'POST /api/admin/config/entities/{resource}/revert': {
    readonly path: { readonly resource: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** It becomes what it was after this revision. */
      readonly revision: number;
    };
    readonly version: 1;
    readonly answer: Reversal;
  };

  /** The configuration as one XML document */
  readonly 'GET /api/admin/config.xml': {
    readonly query: { readonly at?: string };
    readonly answer: string;
  };

  /** Save the configuration as a whole */
  readonly 'POST /api/admin/config.xml': {
    readonly query: { readonly dry_run?: boolean };
    readonly answer: {
      /** What was done, in words. */
      readonly result: string;
      /** What of the file is not taken over. */
      readonly ignored?: readonly {
        /** What it is. */
        readonly what: string;
        /** Why it is not taken over. */
        readonly why: string;
      }[];
      /** What is taken over although a plugin does not accept its settings. */
      readonly warnings?: readonly {
        /** Line of the file, from 1. */
        readonly line: number;
        /** Column of the line, from 1. */
        readonly column: number;
        /** What is wrong, in words. */
        readonly message: string;
      }[];
    } | PlanOfAFile;
  };

  /** The configuration as one XML document, under another address */
  readonly 'GET /api/admin/config/current.xml': {
    readonly query: { readonly at?: string };
    readonly answer: string;
  };

  /** The configuration as it was when its document had this MD5 */
  readonly 'GET /api/admin/config/{md5}.xml': {
    readonly path: { readonly md5: string | number };
    readonly answer: string;
  };

  /** A push, which is refused */
  readonly 'POST /api/config-repository.git/git-receive-pack': {
    readonly answer: undefined;
  };

  /** What clients ask for that do not speak the smart protocol, which is refused */
  readonly 'GET /api/config-repository.git/objects/{folder}/{file}': {
    readonly path: { readonly folder: string | number; readonly file: string | number };
    readonly answer: undefined;
  };

  /** Import a configuration file */
  readonly 'POST /api/admin/config/import': {
    readonly query: { readonly dry_run?: boolean };
    readonly answer: PlanOfAFile;
  };

  /** Whether the server is alive */
  readonly 'GET /api/v1/health': {
    readonly answer: {
      readonly health: 'OK';
    };
  };

  /** The version of the server */
  readonly 'GET /api/version': {
    readonly version: 1;
    readonly answer: Version;
  };

  /** What needs attention */
  readonly 'GET /api/server_health_messages': {
    readonly version: 1;
    readonly answer: readonly ServerHealthMessage[];
  };

  /** The version of the server as a page */
  readonly 'GET /about': {
    readonly answer: string;
  };

  /** Figures about the server in the form Prometheus reads */
  readonly 'GET /metrics': {
    readonly answer: string;
  };

  /** Show whether a pipeline is paused, locked, and can be triggered */
  readonly 'GET /api/pipelines/{pipeline_name}/status': {
    readonly path: { readonly pipeline_name: string | number };
    readonly version: 1;
    readonly answer: {
      /** Its name, as written in the configuration. */
      readonly name: string;
      /** The pipeline group that it is in. */
      readonly group: string;
      /** Whether it is paused. */
      readonly paused: boolean;
      /** The reason; empty when it is not paused. */
      readonly paused_cause: string;
      /** Who paused it; empty when it is not paused. */
      readonly paused_by: string;
      /** When it was paused; null: */
      readonly paused_at: string | null;
      /** Whether a run holds its lock, so that no other run can start. */
      readonly locked: boolean;
      /** The run that holds the lock; null: */
      readonly locked_by: {
        /** Its counter. */
        readonly counter: number;
        /** Its label. */
        readonly label: string;
        /** When it was scheduled, in milliseconds since the beginning of 1970. */
        readonly scheduled_date: number;
      } | null;
      /** Whether a user could trigger it now. */
      readonly schedulable: boolean;
      /** Whether you may trigger it. */
      readonly can_trigger: boolean;
      /** Whether you may pause and unlock it, and comment on its runs. */
      readonly can_operate: boolean;
      /** Whether you may change it. */
      readonly can_administer: boolean;
    };
  };

  /** List the runs of a pipeline, newest first */
  readonly 'GET /api/pipelines/{pipeline_name}/history': {
    readonly path: { readonly pipeline_name: string | number };
    readonly query: { readonly after?: number; readonly before?: number; readonly page_size?: number };
    readonly version: 1;
    readonly answer: {
      /** Where older ones are (`next`), and newer ones (`previous`), if there are any. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The runs. */
      readonly pipelines: readonly Run[];
    };
  };

  /** Show a run of a pipeline */
  readonly 'GET /api/pipelines/{pipeline_name}/{pipeline_counter}/instance': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number };
    readonly version: 1;
    readonly answer: Run;
  };

  /** Show a run of a pipeline, at the address that public clients use */
  readonly 'GET /api/pipelines/{pipeline_name}/{pipeline_counter}': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number };
    readonly version: 1;
    readonly answer: Run;
  };

  /** Show what can be chosen when a pipeline is triggered */
  readonly 'GET /api/pipelines/{pipeline_name}/trigger_options': {
    readonly path: { readonly pipeline_name: string | number };
    readonly version: 1;
    readonly answer: {
      /** Its environment variables. */
      readonly variables: readonly {
        /** The name. */
        readonly name: string;
        /** Whether it is a secret. */
        readonly secure: boolean;
        /** Its value, unless it is a secret. */
        readonly value?: string;
      }[];
      /** Its materials. */
      readonly materials: readonly {
        /** The type in words, such as `Git` or `Pipeline`. */
        readonly type: string;
        /** Its name, or where it is. */
        readonly name: string;
        /** Its fingerprint. */
        readonly fingerprint: string;
        /** The newest known revision. */
        readonly revision: {
          /** When the newest known revision was made. */
          readonly date: string | null;
          /** Who made it. */
          readonly user: string | null;
          /** Its comment. */
          readonly comment: string | null;
          /** The revision that the last run used; null: */
          readonly last_run_revision: string | null;
          /** The newest known revision; null: */
          readonly latest_revision: string | null;
        };
        /** Where it is checked out, if not in the working directory itself. */
        readonly folder?: string;
      }[];
    };
  };

  /** Show a run of a stage */
  readonly 'GET /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number };
    readonly version: 3;
    readonly answer: StageRun;
  };

  /** List the runs of a stage, newest first */
  readonly 'GET /api/stages/{pipeline_name}/{stage_name}/history': {
    readonly path: { readonly pipeline_name: string | number; readonly stage_name: string | number };
    readonly query: { readonly after?: number; readonly before?: number; readonly page_size?: number };
    readonly version: 3;
    readonly answer: {
      /** Where older ones are (`next`), and newer ones (`previous`), if there are any. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The runs of the stage. */
      readonly stages: readonly StageRun[];
    };
  };

  /** Show a job of a run */
  readonly 'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly version: 1;
    readonly answer: JobAndWhatBelongsToIt;
  };

  /** List the runs of a job, newest first */
  readonly 'GET /api/jobs/{pipeline_name}/{stage_name}/{job_name}/history': {
    readonly path: { readonly pipeline_name: string | number; readonly stage_name: string | number; readonly job_name: string | number };
    readonly query: { readonly after?: number; readonly before?: number; readonly page_size?: number };
    readonly version: 1;
    readonly answer: {
      /** Where older ones are (`next`), and newer ones (`previous`), if there are any. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The jobs. */
      readonly jobs: readonly Job[];
    };
  };

  /** Show the value stream map of a run */
  readonly 'GET /api/pipelines/{pipeline_name}/{pipeline_counter}/value_stream_map': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number };
    readonly version: 1;
    readonly answer: {
      /** The pipeline of the run. */
      readonly current_pipeline: string;
      /** The counter of the run. */
      readonly current_counter: number;
      /** Whether nodes were left out because there are more than 2000. */
      readonly is_truncated: boolean;
      /** The columns, from left to right. */
      readonly levels: readonly {
        /** The nodes of the column. */
        readonly nodes: readonly NodeOfAMap[];
      }[];
    };
  };

  /** Show the value stream map of a run, at the address that public clients use */
  readonly 'GET /pipelines/value_stream_map/{pipeline_name}/{pipeline_counter}.json': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number };
    readonly answer: {
      /** The pipeline of the run. */
      readonly current_pipeline: string;
      /** The counter of the run. */
      readonly current_counter: number;
      /** Whether nodes were left out because there are more than 2000. */
      readonly is_truncated: boolean;
      /** The columns, from left to right. */
      readonly levels: readonly {
        /** The nodes of the column. */
        readonly nodes: readonly NodeOfAMap[];
      }[];
    };
  };

  /** Show the value stream map of a revision of a material */
  readonly 'GET /api/materials/{fingerprint}/value_stream_map/{revision}': {
    readonly path: { readonly fingerprint: string | number; readonly revision: string | number };
    readonly version: 1;
    readonly answer: {
      /** The fingerprint of the material. */
      readonly current_material: string;
      /** The revision. */
      readonly current_revision: string;
      /** Whether nodes were left out because there are more than 2000. */
      readonly is_truncated: boolean;
      /** The columns, from left to right. */
      readonly levels: readonly {
        /** The nodes of the column. */
        readonly nodes: readonly NodeOfAMap[];
      }[];
    };
  };

  /** Show everything that changed between two runs */
  readonly 'GET /api/pipelines/{pipeline_name}/compare/{from_counter}/{to_counter}': {
    readonly path: { readonly pipeline_name: string | number; readonly from_counter: string | number; readonly to_counter: string | number };
    readonly query: { readonly fingerprint?: string; readonly offset?: number; readonly page_size?: number };
    readonly version: 2;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The pipeline. */
      readonly pipeline_name: string;
      /** The earlier run. */
      readonly from_counter: number;
      /** The later run. */
      readonly to_counter: number;
      /** Always false. */
      readonly is_bisect: boolean;
      /** Whether nothing is left out. */
      readonly is_complete: boolean;
      /** The total number of new modifications. */
      readonly total: number;
      /** The materials with modifications that are new in the later run. */
      readonly changes: readonly ChangesOfAMaterial[];
      /** The total number of modifications that the later run takes back. */
      readonly removed_total: number;
      /** The materials of which the later run has an older revision than the earlier one, with the modifications that it takes back. */
      readonly removed: readonly ChangesOfAMaterial[];
    };
  };

  /** Show statistics of the last runs of a pipeline */
  readonly 'GET /api/pipelines/{pipeline_name}/statistics': {
    readonly path: { readonly pipeline_name: string | number };
    readonly query: { readonly runs?: number };
    readonly version: 1;
    readonly answer: {
      /** The pipeline. */
      readonly name: string;
      /** The total. */
      readonly summary: {
        /** How many have ended. */
        readonly runs: number;
        /** How many of them passed. */
        readonly passed: number;
        /** How many failed. */
        readonly failed: number;
        /** How many were cancelled. */
        readonly cancelled: number;
        /** The share that passed, from 0 to 1; null: */
        readonly success_rate: number | null;
        /** How long those that passed took; null: */
        readonly duration_ms: {
          /** The median, in milliseconds. */
          readonly median: number;
          /** The 90th percentile, in milliseconds. */
          readonly p90: number;
        } | null;
        /** How long their jobs waited for agents; null: */
        readonly waiting_ms: {
          /** The median, in milliseconds. */
          readonly median: number;
          /** The 90th percentile, in milliseconds. */
          readonly p90: number;
        } | null;
      };
      /** By the day on which they were scheduled, newest first. */
      readonly days: readonly {
        /** The day in UTC, such as 2026-01-31. */
        readonly day: string;
        /** How many have ended. */
        readonly runs: number;
        /** How many of them passed. */
        readonly passed: number;
        /** How many failed. */
        readonly failed: number;
        /** How many were cancelled. */
        readonly cancelled: number;
        /** The share that passed, from 0 to 1; null: */
        readonly success_rate: number | null;
        /** How long those that passed took; null: */
        readonly duration_ms: {
          /** The median, in milliseconds. */
          readonly median: number;
          /** The 90th percentile, in milliseconds. */
          readonly p90: number;
        } | null;
        /** How long their jobs waited for agents; null: */
        readonly waiting_ms: {
          /** The median, in milliseconds. */
          readonly median: number;
          /** The 90th percentile, in milliseconds. */
          readonly p90: number;
        } | null;
      }[];
      /** By stage. */
      readonly stages: readonly {
        /** The name of the stage. */
        readonly name: string;
        /** How many have ended. */
        readonly runs: number;
        /** How many of them passed. */
        readonly passed: number;
        /** How many failed. */
        readonly failed: number;
        /** How many were cancelled. */
        readonly cancelled: number;
        /** The share that passed, from 0 to 1; null: */
        readonly success_rate: number | null;
        /** How long those that passed took; null: */
        readonly duration_ms: {
          /** The median, in milliseconds. */
          readonly median: number;
          /** The 90th percentile, in milliseconds. */
          readonly p90: number;
        } | null;
        /** How long their jobs waited for agents; null: */
        readonly waiting_ms: {
          /** The median, in milliseconds. */
          readonly median: number;
          /** The 90th percentile, in milliseconds. */
          readonly p90: number;
        } | null;
      }[];
      /** Each run, newest first. */
      readonly runs: readonly FiguresOfARun[];
    };
  };

  /** Pause a pipeline */
  readonly 'POST /api/pipelines/{pipeline_name}/pause': {
    readonly path: { readonly pipeline_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** The reason, which is shown to users. */
      readonly pause_cause?: string;
    };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Unpause a pipeline */
  readonly 'POST /api/pipelines/{pipeline_name}/unpause': {
    readonly path: { readonly pipeline_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Release the lock of a pipeline */
  readonly 'POST /api/pipelines/{pipeline_name}/unlock': {
    readonly path: { readonly pipeline_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Trigger a pipeline */
  readonly 'POST /api/pipelines/{pipeline_name}/schedule': {
    readonly path: { readonly pipeline_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** Whether to poll the materials first. */
      readonly update_materials_before_scheduling?: boolean;
      /** Values for variables of the pipeline, only for this run. */
      readonly environment_variables?: readonly {
        /** A variable that the pipeline has. */
        readonly name: string;
        /** Its value. */
        readonly value: string;
        /** Whether it is a secret. */
        readonly secure?: boolean;
      }[];
      /** Revisions to use instead of the newest ones. */
      readonly materials?: readonly {
        /** The fingerprint of a material of the pipeline. */
        readonly fingerprint: string;
        /** A known revision of it. */
        readonly revision: string;
      }[];
    };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Comment on a run */
  readonly 'POST /api/pipelines/{pipeline_name}/{pipeline_counter}/comment': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The text; an empty text removes the comment. */
      readonly comment: string;
    };
    readonly version: 1;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Why a pipeline runs or does not */
  readonly 'GET /api/pipelines/{pipeline_name}/why': {
    readonly path: { readonly pipeline_name: string | number };
    readonly version: 1;
    readonly answer: WhyAPipelineRuns;
  };

  /** Run a stage, or rerun it */
  readonly 'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/run': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly optionalBody: {
      /** The configuration to use. */
      readonly configuration?: 'current' | 'original';
    };
    readonly version: 2;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Cancel a stage that is under way */
  readonly 'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/cancel': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Rerun the failed and cancelled jobs of a stage */
  readonly 'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/run-failed-jobs': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Rerun selected jobs of a stage */
  readonly 'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/run-selected-jobs': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The names of the jobs. */
      readonly jobs: readonly string[];
    };
    readonly version: 3;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Why a job waits: */
  readonly 'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/why': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly version: 1;
    readonly answer: WhyAJobWaits;
  };

  /** Show how many tests a job had, and those that failed */
  readonly 'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/tests': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly query: { readonly after?: number; readonly page_size?: number; readonly allow_empty?: boolean };
    readonly version: 1;
    readonly answer: TestsOfAJob;
  };

  /** Show flaky and slow tests of a pipeline */
  readonly 'GET /api/pipelines/{pipeline_name}/tests': {
    readonly path: { readonly pipeline_name: string | number };
    readonly version: 1;
    readonly answer: TestsOfAPipeline;
  };

  /** Show the history of a test in a pipeline, newest first */
  readonly 'GET /api/pipelines/{pipeline_name}/tests/history': {
    readonly path: { readonly pipeline_name: string | number };
    readonly query: { readonly name?: string; readonly class?: string; readonly after?: number; readonly page_size?: number };
    readonly version: 1;
    readonly answer: HistoryOfATest;
  };

  /** List of agents */
  readonly 'GET /api/agents': {
    readonly version: 7;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly agents: readonly Agent[];
      };
    };
  };

  /** Change many agents, all or none */
  readonly 'PATCH /api/agents': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The uuids of agents. */
      readonly uuids: readonly string[];
      /** What to add and what to remove. */
      readonly operations?: {
        /** Environments. */
        readonly environments?: {
          /** Names to add. */
          readonly add?: readonly string[] | string;
          /** Names to remove. */
          readonly remove?: readonly string[] | string;
        };
        /** Resources. */
        readonly resources?: {
          /** Names to add. */
          readonly add?: readonly string[] | string;
          /** Names to remove. */
          readonly remove?: readonly string[] | string;
        };
      };
      /** Whether it may get work; null or absent: */
      readonly agent_config_state?: 'Enabled' | 'Disabled';
    };
    readonly version: 7;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Delete disabled agents, all or none */
  readonly 'DELETE /api/agents': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** The uuids of agents. */
      readonly uuids: readonly string[];
    };
    readonly version: 7;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** Show an agent */
  readonly 'GET /api/agents/{uuid}': {
    readonly path: { readonly uuid: string | number };
    readonly version: 7;
    readonly answer: Agent;
  };

  /** Change an agent, enable or disable it */
  readonly 'PATCH /api/agents/{uuid}': {
    readonly path: { readonly uuid: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly body: {
      /** Its new name, until it registers again. */
      readonly hostname?: string;
      /** All its resources, as a list or as text with commas. */
      readonly resources?: readonly string[] | string;
      /** All its environments except those assigned by config repos, as a list or as text with commas. */
      readonly environments?: readonly string[] | string;
      /** Whether it may get work; null or absent: */
      readonly agent_config_state?: 'Enabled' | 'Disabled';
    };
    readonly version: 7;
    readonly answer: Agent;
  };

  /** Delete a disabled agent */
  readonly 'DELETE /api/agents/{uuid}': {
    readonly path: { readonly uuid: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 7;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** End all processes of a job that is being cancelled */
  readonly 'POST /api/agents/{uuid}/kill_running_tasks': {
    readonly path: { readonly uuid: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly version: 7;
    readonly answer: {
      /** The result in words. */
      readonly message: string;
    };
  };

  /** The jobs that an agent has completed */
  readonly 'GET /api/agents/{uuid}/job_run_history': {
    readonly path: { readonly uuid: string | number };
    readonly query: { readonly offset?: number; readonly after?: number; readonly page_size?: number; readonly sort_column?: 'completed' | 'pipeline' | 'stage' | 'job' | 'result' | 'duration'; readonly sort_order?: 'asc' | 'desc' };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The uuid of the agent. */
      readonly uuid: string;
      /** The jobs of this page. */
      readonly jobs: readonly JobOfAnAgent[];
      /** Which of them are shown. */
      readonly pagination: {
        /** How many are shown. */
        readonly page_size: number;
        /** How many were left out. */
        readonly offset: number;
        /** How many there are. */
        readonly total: number;
      };
    };
  };

  /** Register an agent each time it starts */
  readonly 'POST /agent/v1/registration': {
    readonly query: { readonly dry_run?: boolean };
    readonly body: RegistrationOfAnAgent;
    readonly answer: RegisteredAgent;
  };

  /** Poll for orders */
  readonly 'POST /agent/v1/poll': {
    readonly body: PollOfAnAgent;
    readonly answer: OrderToAnAgent;
  };

  /** The key by which agents register, and how to start one */
  readonly 'GET /api/admin/agent_registration': {
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Agents that send it are enabled at once; null: */
      readonly auto_register_key: string | null;
      /** Starts an agent, on a machine where this software is installed. */
      readonly command: string;
    };
  };

  /** Make a new key by which agents register */
  readonly 'POST /api/admin/agent_registration/rotate': {
    readonly query: { readonly dry_run?: boolean };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** Agents that send it are enabled at once; null: */
      readonly auto_register_key: string | null;
      /** Starts an agent, on a machine where this software is installed. */
      readonly command: string;
    };
  };

  /** Show what would be deleted now */
  readonly 'GET /api/admin/artifacts/purge_preview': {
    readonly query: { readonly free_bytes?: number; readonly after?: string; readonly page_size?: number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly stage_runs: readonly StageRunToBePurged[];
        /** What is known about the disk of the artifacts. */
        readonly space: DiskSpaceOfAPurge;
      };
    };
  };

  /** Show how much space the artifacts of each pipeline take */
  readonly 'GET /api/admin/artifacts/usage': {
    readonly query: { readonly offset?: number; readonly page_size?: number };
    readonly version: 1;
    readonly answer: {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The content of the answer. */
      readonly _embedded: {
        /** The entries of the list. */
        readonly pipelines: readonly ArtifactsOfAPipeline[];
        /** The total of all pipelines. */
        readonly total: AllArtifacts;
        /** How many bytes are free on the disk of the artifacts; null: */
        readonly disk_free_bytes: number | null;
      };
    };
  };

  /** Report the progress of a job */
  readonly 'POST /agent/v1/jobs/{job}/reports': {
    readonly path: { readonly job: string | number };
    readonly body: ReportOfAnAgent;
    readonly answer: CountedReport;
  };

  /** Upload a file of a job */
  readonly 'PUT /agent/v1/jobs/{job}/artifacts/file': {
    readonly path: { readonly job: string | number };
    readonly query: { readonly epoch?: number; readonly path?: string; readonly offset?: number };
    readonly answer: FileOfAnAgent;
  };

  /** Upload many small files of a job */
  readonly 'PUT /agent/v1/jobs/{job}/artifacts/archive': {
    readonly path: { readonly job: string | number };
    readonly query: { readonly epoch?: number };
    readonly answer: FilesOfAnArchive;
  };

  /** Publish uploaded files */
  readonly 'POST /agent/v1/jobs/{job}/artifacts/publication': {
    readonly path: { readonly job: string | number };
    readonly query: { readonly epoch?: number };
    readonly body: PublicationOfArtifacts;
    readonly answer: PublishedArtifacts;
  };

  /** List the files that a fetch task fetches */
  readonly 'GET /agent/v1/jobs/{job}/fetches/{fetch}/files': {
    readonly path: { readonly job: string | number; readonly fetch: string | number };
    readonly query: { readonly epoch?: number; readonly after?: string };
    readonly answer: FilesOfAFetchTask;
  };

  /** The lines of a console, or the console as a stream */
  readonly 'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly query: { readonly from?: number; readonly limit?: number };
    readonly version: 1;
    readonly answer: LineOfAConsole;
  };

  /** The console as a file */
  readonly 'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/cruise-output/console.log': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly query: { readonly startLineNumber?: number };
    readonly answer: string;
  };

  /** Send the console output of a job */
  readonly 'PUT /agent/v1/jobs/{job}/console': {
    readonly path: { readonly job: string | number };
    readonly query: { readonly epoch?: number; readonly offset?: number };
    readonly answer: ConsoleOfAnAgent;
  };

  /** Show where the tasks of a job are in its console */
  readonly 'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console/sections': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly version: 1;
    readonly answer: SectionsOfAConsole;
  };

  /** Search the console of a job */
  readonly 'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/console/search': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly query: { readonly search?: string; readonly match_case?: boolean; readonly after?: number; readonly limit?: number };
    readonly version: 1;
    readonly answer: MatchesInAConsole;
  };

  /** List the artifacts of a job */
  readonly 'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}.json': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly query: { readonly after?: string };
    readonly answer: readonly Artifact[];
  };

  /** List the artifacts of a job */
  readonly 'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly query: { readonly after?: string };
    readonly answer: readonly Artifact[];
  };

  /** Add the files of an archive to the artifacts of a job */
  readonly 'POST /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly answer: string;
  };

  /** Add a file to the artifacts of a job */
  readonly 'POST /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number; readonly path: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly answer: string;
  };

  /** Append to an artifact file of a job */
  readonly 'PUT /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number; readonly path: string | number };
    readonly query: { readonly dry_run?: boolean };
    readonly answer: string;
  };

  /** Get an address of a file that needs no login */
  readonly 'GET /api/jobs/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/artifact_view': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly query: { readonly path?: string };
    readonly version: 1;
    readonly answer: AddressOfAnArtifactWithoutALogin;
  };

  /** Show all pipelines with their state and last runs */
  readonly 'GET /api/dashboard': {
    readonly query: { readonly viewName?: string };
    readonly version: 4;
    readonly answer: {
      /** The ETag of your views. */
      readonly _personalization: string;
      /** The content of the answer. */
      readonly _embedded: {
        /** The groups you may see. */
        readonly pipeline_groups: readonly GroupOnTheDashboard[];
        /** The environments that the pipelines are in. */
        readonly environments: readonly EnvironmentOnTheDashboard[];
        /** The pipelines you may see. */
        readonly pipelines: readonly PipelineOnTheDashboard[];
      };
    };
  };

  /** Show the dashboard in a short form, or what has changed in it */
  readonly 'GET /api/dashboard/rows': {
    readonly query: { readonly since?: string };
    readonly version: 1;
    readonly answer: DashboardRows;
  };

  /** Show your views of the dashboard */
  readonly 'GET /api/dashboard/views': {
    readonly version: 1;
    readonly answer: {
      /** The views. */
      readonly filters: readonly ViewOfTheDashboard[];
    };
  };

  /** Replace your views of the dashboard */
  readonly 'PUT /api/dashboard/views': {
    readonly query: { readonly dry_run?: boolean };
    readonly ifMatch: 'required';
    readonly body: {
      /** The views. */
      readonly filters: readonly ViewOfTheDashboard[];
    };
    readonly version: 1;
    readonly answer: {
      /** The views. */
      readonly filters: readonly ViewOfTheDashboard[];
    };
  };

  /** Show stages and jobs for build monitors (cctray) */
  readonly 'GET /cctray.xml': {
    readonly answer: string;
  };

  /** List the jobs that wait for an agent */
  readonly 'GET /api/feed/jobs/scheduled.xml': {
    readonly answer: string;
  };

  /** List the feeds of all pipelines */
  readonly 'GET /api/feed/pipelines.xml': {
    readonly answer: string;
  };

  /** Show the completed stages of a pipeline as an Atom feed, newest first */
  readonly 'GET /api/feed/pipelines/{pipeline_name}/stages.xml': {
    readonly path: { readonly pipeline_name: string | number };
    readonly query: { readonly before?: number };
    readonly answer: string;
  };

  /** Show a run of a pipeline with its stages and materials */
  readonly 'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}.xml': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number };
    readonly answer: string;
  };

  /** Show a run of a stage with its jobs */
  readonly 'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}.xml': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number };
    readonly answer: string;
  };

  /** Show a job with its agent and its artifacts */
  readonly 'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}.xml': {
    readonly path: { readonly pipeline_name: string | number; readonly pipeline_counter: string | number; readonly stage_name: string | number; readonly stage_counter: string | number; readonly job_name: string | number };
    readonly answer: string;
  };

  /** Follow what changes, as far as the caller may see it */
  readonly 'GET /api/live': {
    readonly query: { readonly pipelines?: readonly string[]; readonly topics?: readonly ('dashboard' | 'jobs' | 'agents' | 'materials' | 'health' | 'config')[]; readonly since?: string };
    readonly version: 1;
    readonly answer: Notices;
  };

  /** The OpenAPI description */
  readonly 'GET /api/openapi.json': {
    readonly answer: { readonly [name: string]: Json };
  };

  /** The first page of this documentation, or what a search finds in it */
  readonly 'GET /api/docs': {
    readonly query: { readonly q?: string };
    readonly answer: string;
  };

  /** One chapter of this documentation */
  readonly 'GET /api/docs/{chapter}': {
    readonly path: { readonly chapter: string | number };
    readonly answer: string;
  };

  /** Leads to the documentation */
  readonly 'GET /': {
    readonly answer: undefined;
  };
}
