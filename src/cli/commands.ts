// All commands, in the order in which the help lists them.
import type { Command } from './command.ts';
import { auditCommand } from './commands/audit.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { applyCommand, planCommand } from './commands/plan.ts';
import { restoreCommand } from './commands/restore.ts';

export const COMMANDS: readonly Command[] = [planCommand, applyCommand, exportCommand, importCommand, restoreCommand, auditCommand];
