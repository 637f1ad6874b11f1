// Ends a process together with all that it has started, as far as they have stayed in its group.

export function endProcessGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ESRCH') throw failure; // ended already
  }
}
