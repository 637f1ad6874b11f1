// Which processors a program may use, where the system can distinguish them.
import { existsSync, readFileSync } from 'node:fs';

const TOOLS = ['/usr/bin/taskset', '/bin/taskset'];
const FACTS = '/proc/self/status';

/** The first words of a command that leaves one processor to others; undefined: there is only one, or it is unknown. */
export function leavingOneProcessor(): readonly string[] | undefined {
  const tool = TOOLS.find((path) => existsSync(path));
  if (tool === undefined || !existsSync(FACTS)) return undefined;
  const [, ...others] = processorsIn(readFileSync(FACTS, 'utf8'));
  return others.length > 0 ? [tool, '--cpu-list', others.join(',')] : undefined;
}

/** From lines of which one says `Cpus_allowed_list: 0-2,5`. */
export function processorsIn(status: string): number[] {
  const list = /^Cpus_allowed_list:\s*([\d,-]+)$/m.exec(status)?.[1] ?? '';
  return list
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}
