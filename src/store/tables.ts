// The tables, as types.
import type { ArtifactRow, ArtifactUsageRow, PurgeRow, TestReportRow, TestResultRow } from './rows/artifacts.ts';
import type {
  AgentRow,
  JobPlanRow,
  JobRow,
  JobTransitionRow,
  PipelineCounterRow,
  PipelineLockRow,
  RunRevisionRow,
  RunRow,
  StageRunRow,
  StageStatisticsRow,
  TimerFiringRow,
  TriggerRequestRow,
} from './rows/builds.ts';
import type { ConfigRepoFileRow, ConfigRepoParseRow, ConfigRepoStateRow } from './rows/config-repos.ts';
import type { ChangeRow, CompactionRow, EntityRow, PlanRow, RevisionNameRow, RevisionRow } from './rows/configuration.ts';
import type { EventRow, WebhookDeliveryRow, WebhookQueueRow } from './rows/events.ts';
import type { BackupRow, MailedConditionRow, MaintenanceRow, OutboxRow } from './rows/housekeeping.ts';
import type { MaterialRow, ModificationRow, ModifiedFileRow, RequestedPollRow } from './rows/materials.ts';
import type { PauseRow } from './rows/pipelines.ts';
import type { CommitRow, HeadRow, LeaseRow, ReplicaRow, SharedFileRow } from './rows/sharing.ts';
import type { DashboardViewsRow, FilterRow, ProviderAccountRow, SessionRow, TokenRow, UsedOnceRow, UserRow } from './rows/users.ts';

export interface Tables {
  readonly schema_version: { version: number };
  readonly entities: EntityRow;
  readonly revisions: RevisionRow;
  readonly changes: ChangeRow;
  readonly users: UserRow;
  readonly access_tokens: TokenRow;
  readonly notification_filters: FilterRow;
  readonly pipeline_pauses: PauseRow;
  readonly outbox: OutboxRow;
  readonly told_conditions: MailedConditionRow;
  readonly backups: BackupRow;
  readonly maintenance: MaintenanceRow;
  readonly materials: MaterialRow;
  readonly modifications: ModificationRow;
  readonly modified_files: ModifiedFileRow;
  readonly events: EventRow;
  readonly webhook_queues: WebhookQueueRow;
  readonly webhook_deliveries: WebhookDeliveryRow;
  readonly config_repo_states: ConfigRepoStateRow;
  readonly config_repo_files: ConfigRepoFileRow;
  readonly config_repo_parses: ConfigRepoParseRow;
  readonly revision_names: RevisionNameRow;
  readonly compaction: CompactionRow;
  readonly plans: PlanRow;
  readonly material_wishes: RequestedPollRow;
  readonly leases: LeaseRow;
  readonly pipeline_counters: PipelineCounterRow;
  readonly runs: RunRow;
  readonly run_revisions: RunRevisionRow;
  readonly stage_runs: StageRunRow;
  readonly stage_figures: StageStatisticsRow;
  readonly jobs: JobRow;
  readonly job_plans: JobPlanRow;
  readonly job_transitions: JobTransitionRow;
  readonly agents: AgentRow;
  readonly pipeline_locks: PipelineLockRow;
  readonly trigger_requests: TriggerRequestRow;
  readonly timer_firings: TimerFiringRow;
  readonly artifacts: ArtifactRow;
  readonly artifact_usage: ArtifactUsageRow;
  readonly purges: PurgeRow;
  readonly test_reports: TestReportRow;
  readonly test_results: TestResultRow;
  readonly dashboard_views: DashboardViewsRow;
  readonly sessions: SessionRow;
  readonly provider_accounts: ProviderAccountRow;
  readonly used_once: UsedOnceRow;
  // Only where several servers share a database:
  readonly head: HeadRow;
  readonly commits: CommitRow;
  readonly replicas: ReplicaRow;
  readonly shared_files: SharedFileRow;
}
