// A program that writes to a database without a pause, in transactions of every size, until it is killed.
import { randomBytes, randomInt } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const [, , path] = process.argv;
const database = new DatabaseSync(path!);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 5000');
database.exec('create table if not exists rows (id integer primary key, batch integer not null, text text not null)');
database.exec('create table if not exists sums (id integer primary key, rows integer not null, bytes integer not null)');
database.exec('insert or ignore into sums values (1, 0, 0)');
const insert = database.prepare('insert into rows (batch, text) values (?, ?)');
const remove = database.prepare('delete from rows where id in (select id from rows order by random() limit ?)');
const keepSums = database.prepare(
  'update sums set rows = (select count(*) from rows), bytes = (select coalesce(sum(length(text)), 0) from rows)',
);
process.stdout.write('writing\n');

for (let batch = 0; ; batch++) {
  if (randomInt(20) === 0) database.exec(`PRAGMA wal_autocheckpoint = ${[0, 5, 50, 1000][randomInt(4)]}`);
  database.exec('begin immediate');
  for (let count = randomInt(30); count > 0; count--) insert.run(batch, randomBytes(randomInt(1, 6000)).toString('hex'));
  remove.run(randomInt(30));
  keepSums.run();
  database.exec(randomInt(10) === 0 ? 'rollback' : 'commit');
  if (randomInt(15) === 0) {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare(`PRAGMA wal_checkpoint(${['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'][randomInt(4)]})`).get();
    database.exec('PRAGMA busy_timeout = 5000');
  }
  if (randomInt(200) === 0) {
    try {
      database.exec('vacuum');
    } catch {
      // another process reads: vacuum another time
    }
  }
}
