// Reads the reports that a database says are unread, until it is killed: for tests that kill it.
import { ReportsLab } from './reports-lab.ts';

const lab = new ReportsLab(process.argv[2]!);
await lab.start();
const reports = await lab.reports();
process.stdout.write('ready\n');
await reports.settled();
process.stdout.write('done\n');
setInterval(() => {}, 1000);
