// A process that begins to purge, and is killed before or after the files of the first stage run are gone. Arguments: database, folder, moment.
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { RetentionLab } from './retention-lab.ts';

const [path = '', root = '', moment = ''] = process.argv.slice(2);
const lab = await RetentionLab.in(openSqlite(path), root);
lab.disk = 0;
lab.settings = { start: 2, upto: 3 };
const die = () => void process.kill(process.pid, 'SIGKILL');
lab.onRemove = async (stage) => {
  if (moment === 'after') await lab.storage.remove(stage);
  die();
  await new Promise(() => {});
};
await lab.retention().work(new AbortController().signal);
