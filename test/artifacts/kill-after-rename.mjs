// Loaded before a server: once the file KILL_FILE says a number, the process is killed right after so many files were put in their place.
import { readFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = promises;
const { KILL_FILE = '' } = process.env;
let count = 0;

promises.rename = async (from, to) => {
  await rename(from, to);
  if (!String(from).includes('uploads') || !String(to).includes('pipelines')) return;
  const wanted = readFileSync(KILL_FILE, 'utf8');
  if (wanted === '' || ++count < Number(wanted)) return;
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
};
syncBuiltinESMExports();
