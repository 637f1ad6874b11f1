// Many clients of the event stream as a program: it looks at the ids that each gets, and reports the totals at its end.
import { request } from 'node:http';

const [url = '', authorization = '', count = '0', after = '0'] = process.argv.slice(2);
const ID = /^id: (\d+)$/gm;

interface Client {
  last: number;
  gaps: number;
  rest: string;
}

const clients: Client[] = [];
let connected = 0;
for (let index = 0; index < Number(count); index++) {
  const client: Client = { last: Number(after), gaps: 0, rest: '' };
  clients.push(client);
  const headers = { Accept: 'text/event-stream', Authorization: authorization, 'Last-Event-ID': after };
  request(`${url}/api/admin/events`, { headers, agent: false }, (response) => {
    if (response.statusCode !== 200) throw new Error(`A stream was answered with status ${response.statusCode}.`);
    response.setEncoding('latin1');
    response.on('data', (text: string) => take(client, text));
    if (++connected === clients.length) process.stdout.write(`ready at ${url}\n`);
  }).end();
}

function take(client: Client, text: string): void {
  const lines = client.rest + text;
  const end = lines.lastIndexOf('\n') + 1;
  client.rest = lines.slice(end);
  for (const [, id] of lines.slice(0, end).matchAll(ID)) {
    if (Number(id) !== client.last + 1) client.gaps++;
    client.last = Number(id);
  }
}

process.once('SIGTERM', () => {
  const lasts = clients.map(({ last }) => last);
  const gaps = clients.reduce((sum, client) => sum + client.gaps, 0);
  process.stdout.write(`${JSON.stringify({ lowest: Math.min(...lasts), highest: Math.max(...lasts), gaps })}\n`, () => process.exit());
});
