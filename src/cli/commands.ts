// All commands, in the order in which the help lists them.

import { agentCommand } from './commands/agent.ts';
import { agentsCommand, agentsDeleteCommand, agentsDisableCommand, agentsEnableCommand } from './commands/agents.ts';
import { artifactsMoveCommand } from './commands/artifacts.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { logCommand, runCommand, runLocalCommand, whyCommand } from './commands/builds.ts';
import { completionCommand } from './commands/completion.ts';
import { eventsCommand } from './commands/events.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import {
  contextCurrentCommand,
  contextDeleteCommand,
  contextListCommand,
  contextRenameCommand,
  contextUseCommand,
  loginCommand,
  logoutCommand,
} from './commands/login.ts';
import { maintenanceOffCommand, maintenanceOnCommand } from './commands/maintenance.ts';
import { moveCommand } from './commands/move.ts';
import { applyCommand, planCommand } from './commands/plan.ts';
import { preflightCommand } from './commands/preflight.ts';
import {
  createCommand,
  deleteCommand,
  diffCommand,
  editCommand,
  getCommand,
  historyCommand,
  listCommand,
  revertCommand,
  setCommand,
} from './commands/resources.ts';
import { restoreCommand } from './commands/restore.ts';
import { supportBundleCommand } from './commands/support-bundle.ts';
import { tokenCreateCommand, tokenListCommand, tokenRevokeCommand, tokenRotateCommand } from './commands/token.ts';
import { userAddCommand, userDisableCommand, userEnableCommand, userListCommand, userPasswdCommand } from './commands/user.ts';
import type { Command } from './terminal/command.ts';

export const COMMANDS: readonly Command[] = [
  loginCommand,
  logoutCommand,
  contextListCommand,
  contextUseCommand,
  contextCurrentCommand,
  contextRenameCommand,
  contextDeleteCommand,
  listCommand,
  getCommand,
  createCommand,
  setCommand,
  editCommand,
  deleteCommand,
  historyCommand,
  diffCommand,
  revertCommand,
  planCommand,
  applyCommand,
  exportCommand,
  importCommand,
  preflightCommand,
  runCommand,
  logCommand,
  whyCommand,
  runLocalCommand,
  agentsCommand,
  agentsEnableCommand,
  agentsDisableCommand,
  agentsDeleteCommand,
  userAddCommand,
  userPasswdCommand,
  userDisableCommand,
  userEnableCommand,
  userListCommand,
  tokenCreateCommand,
  tokenListCommand,
  tokenRevokeCommand,
  tokenRotateCommand,
  agentCommand,
  backupCommand,
  restoreCommand,
  moveCommand,
  artifactsMoveCommand,
  maintenanceOnCommand,
  maintenanceOffCommand,
  auditCommand,
  eventsCommand,
  supportBundleCommand,
  completionCommand,
];
